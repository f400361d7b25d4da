import { expect, test } from 'vitest'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'

test('as much is done at once for each key as is allowed, and a turn that ends or fails is free again', async () => {
  const turns = new ConcurrencyLimiter(2)
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

test('what is beyond a share waits for its own, holds up nobody else, and is refused where much of it waits', async () => {
  const lines = new ConcurrencyLimiter(2, 2)
  const begun: number[] = []
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<void>())
  const running = ends.map(({ promise }, n) =>
    lines.run('a', () => {
      begun.push(n)
      return promise
    }),
  )
  await expect(lines.run('a', async () => 'late')).rejects.toMatchObject({ status: 429 })
  expect(await lines.run('b', async () => 'other')).toBe('other')
  expect(begun).toEqual([0, 1])
  ends[1]?.reject(new Error('failed'))
  await expect(running[1]).rejects.toThrow('failed')
  await Promise.resolve()
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of ends) resolve()
  await Promise.allSettled(running)
  expect(begun).toEqual([0, 1, 2, 3])
  expect(await lines.run('a', async () => 'next')).toBe('next')
})
