import { setImmediate as breathe } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Semaphore } from './semaphore.ts'

test('so many are at it at once, in the order in which they came; one who fails leaves the place to the next', async () => {
  const places = new Semaphore(2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const all = [1, 2, 3, 4].map((n) =>
    places.take(async () => {
      begun.push(n)
      await new Promise<void>((end) => (ends[n] = end))
      if (n === 2) throw new Error('refused')
      return n
    }),
  )
  const settled = Promise.allSettled(all)
  await breathe()
  expect(begun).toEqual([1, 2])
  ends[2]?.()
  await breathe()
  expect(begun).toEqual([1, 2, 3])
  // The first stays; the last still comes to its place.
  ends[3]?.()
  await breathe()
  expect(begun).toEqual([1, 2, 3, 4])
  ends[4]?.()
  ends[1]?.()
  expect((await settled).map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual([1, 'failed', 3, 4])
})
