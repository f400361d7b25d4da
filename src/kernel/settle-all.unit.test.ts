import { expect, test } from 'vitest'
import { settleAll } from './settle-all.ts'

test('settleAll returns the values in argument order', async () => {
  expect(await settleAll(Promise.resolve(1), 'two', undefined)).toEqual([1, 'two', undefined])
})

test('if several queries fail, settleAll throws the first error in argument order after all of them have ended', async () => {
  const done: string[] = []
  const slow = Promise.resolve()
    .then(() => Promise.resolve())
    .then(() => {
      done.push('slow')
      throw new Error('first')
    })
  const sooner = Promise.reject(new Error('second'))
  const last = slow.catch(() => {}).then(() => void done.push('last'))
  await expect(settleAll(slow, sooner, last)).rejects.toThrow('first')
  expect(done).toEqual(['slow', 'last'])
})
