import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CACHE_LIMITS, type EntryKey, entriesToRemove } from './cache-rules.ts'

const NOW = 100 * 86_400_000
const place = (hash: string, age = 0, size = 10): EntryKey => ['1/1/', NOW - age, size, hash]

test('what is written anew takes the place of what was kept of the same query, and nothing else', () => {
  const [former, other] = [place('a', 5), place('b', 5)]
  expect(entriesToRemove([former, other], [place('a')], NOW)).toEqual([former])
})

test('what is too old goes, whatever the room', () => {
  const [old, young] = [place('a', CACHE_LIMITS.age), place('b', CACHE_LIMITS.age - 1)]
  expect(entriesToRemove([old, young], [], NOW)).toEqual([old])
})

test('the oldest go first where there is too much, by size or by number', () => {
  const half = CACHE_LIMITS.all / 2
  expect(entriesToRemove([place('a', 3, half), place('b', 2, half)], [place('c', 0, 1)], NOW)).toEqual([
    place('a', 3, half),
  ])
  const many = Array.from({ length: CACHE_LIMITS.count }, (_, n) => place(String(n), n))
  expect(entriesToRemove(many, [place('new')], NOW)).toEqual([many.at(-1)])
})

test('what stays and what is written never exceed the bounds', () => {
  const places = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 2 * CACHE_LIMITS.age }), fc.integer({ min: 1, max: CACHE_LIMITS.one }), fc.nat(30)),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(places, places, (there, written) => {
      const kept = there.map(([age, size, n]) => place(`q${n}`, age, size))
      const anew = written.slice(0, 8).map(([, size, n]) => place(`q${n}`, 0, size))
      const gone = entriesToRemove(kept, anew, NOW)
      const left = [...kept.filter((one) => !gone.includes(one)), ...anew]
      expect(left.reduce((sum, [, , size]) => sum + size, 0)).toBeLessThanOrEqual(CACHE_LIMITS.all)
      expect(left.every(([, at]) => NOW - at < CACHE_LIMITS.age)).toBe(true)
    }),
  )
})
