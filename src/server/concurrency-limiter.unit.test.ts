import { expect, test } from 'vitest'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'

test('the concurrency limiter limits tasks per key, and frees a slot when a task ends or fails', async () => {
  const limiter = new ConcurrencyLimiter(2)
  const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const running = ends.map(({ promise }) => limiter.run('a', () => promise))
  await expect(limiter.run('a', async () => 'late')).rejects.toMatchObject({
    status: 429,
    headers: { 'retry-after': '2' },
  })
  expect(await limiter.run('b', async () => 'other')).toBe('other')
  ends[0]?.resolve()
  ends[1]?.reject(new Error('failed'))
  await Promise.allSettled(running)
  expect(await limiter.run('a', async () => 'next')).toBe('next')
})

test('the concurrency limiter queues further tasks in order without delaying other keys, and rejects them if the queue is full', async () => {
  const limiter = new ConcurrencyLimiter(2, 2)
  const begun: number[] = []
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<void>())
  const running = ends.map(({ promise }, n) =>
    limiter.run('a', () => {
      begun.push(n)
      return promise
    }),
  )
  await expect(limiter.run('a', async () => 'late')).rejects.toMatchObject({ status: 429 })
  expect(await limiter.run('b', async () => 'other')).toBe('other')
  expect(begun).toEqual([0, 1])
  ends[1]?.reject(new Error('failed'))
  await expect(running[1]).rejects.toThrow('failed')
  await Promise.resolve()
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of ends) resolve()
  await Promise.allSettled(running)
  expect(begun).toEqual([0, 1, 2, 3])
  expect(await limiter.run('a', async () => 'next')).toBe('next')
})
