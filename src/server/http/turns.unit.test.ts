import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

test('as much is done at once for each key as is allowed, and a turn that ends or fails is free again', async () => {
  const turns = new Turns(2)
  const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const running = held.map(({ promise }) => turns.run('a', () => promise))
  await expect(turns.run('a', async () => 'late')).rejects.toMatchObject({
    status: 429,
    headers: { 'retry-after': '2' },
  })
  expect(await turns.run('b', async () => 'other')).toBe('other')
  held[0]?.resolve()
  held[1]?.reject(new Error('failed'))
  await Promise.allSettled(running)
  expect(await turns.run('a', async () => 'next')).toBe('next')
})
