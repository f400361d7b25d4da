import { setImmediate as breathe } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Mutex } from './mutex.ts'

test('work is done in the order in which it was asked for, one piece at a time, also after one that fails', async () => {
  const turns = new Mutex()
  const told: string[] = []
  const piece = (name: string) =>
    turns.take(async () => {
      told.push(`${name} begins`)
      await Promise.resolve()
      told.push(`${name} ends`)
      if (name === 'b') throw new Error('b fails')
    })
  const all = await Promise.allSettled(['a', 'b', 'c'].map(piece))
  expect(all.map((done) => done.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(told).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]))
})

test('whoever comes from outside is heard between two pieces, however many wait', async () => {
  const turns = new Mutex()
  let done = 0
  const waiting = Array.from({ length: 100 }, () => turns.take(async () => void done++))
  await breathe()
  expect(done).toBeLessThan(10)
  await Promise.all(waiting)
  expect(done).toBe(100)
})
