import fc from 'fast-check'
import { expect, test } from 'vitest'
import { flag, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { CACHE_LIMITS, type CacheEntryKey, cacheEntriesToRemove, containsConfidentialValue } from './cache-rules.ts'

const NOW = 100 * 86_400_000
const entry = (hash: string, age = 0, size = 10): CacheEntryKey => ['1/1/', NOW - age, size, hash]

test('a new cached response replaces only the previous response to the same query', () => {
  const [former, other] = [entry('a', 5), entry('b', 5)]
  expect(cacheEntriesToRemove([former, other], [entry('a')], NOW)).toEqual([former])
})

test('a cached response older than the age limit is removed, even if there is space', () => {
  const [old, young] = [entry('a', CACHE_LIMITS.ageMs), entry('b', CACHE_LIMITS.ageMs - 1)]
  expect(cacheEntriesToRemove([old, young], [], NOW)).toEqual([old])
})

test('the oldest cached responses are removed first if their size or number exceeds the limits', () => {
  const half = CACHE_LIMITS.totalChars / 2
  expect(cacheEntriesToRemove([entry('a', 3, half), entry('b', 2, half)], [entry('c', 0, 1)], NOW)).toEqual([
    entry('a', 3, half),
  ])
  const many = Array.from({ length: CACHE_LIMITS.answers }, (_, n) => entry(String(n), n))
  expect(cacheEntriesToRemove(many, [entry('new')], NOW)).toEqual([many.at(-1)])
})

test('stored and new cached responses together never exceed the limits', () => {
  const entries = fc.array(
    fc.tuple(
      fc.integer({ min: 0, max: 2 * CACHE_LIMITS.ageMs }),
      fc.integer({ min: 1, max: CACHE_LIMITS.answerChars }),
      fc.nat(30),
    ),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(entries, entries, (before, after) => {
      const stored = before.map(([age, size, n]) => entry(`q${n}`, age, size))
      const written = after.slice(0, 8).map(([, size, n]) => entry(`q${n}`, 0, size))
      const removed = cacheEntriesToRemove(stored, written, NOW)
      const left = [...stored.filter((one) => !removed.includes(one)), ...written]
      expect(left.reduce((sum, [, , size]) => sum + size, 0)).toBeLessThanOrEqual(CACHE_LIMITS.totalChars)
      expect(left.every(([, at]) => NOW - at < CACHE_LIMITS.ageMs)).toBe(true)
    }),
  )
})

resource({
  type: 'HealthRecord',
  service: 'example',
  path: 'health_records',
  table: 'health_record',
  tenant: 'own',
  fields: { finding: text({ confidential: 'ROLE_MANAGER' }), done: flag() },
  allow: {},
})

test('a confidential value is detected at any depth of a response, but only in records of its type', () => {
  const record = { '@type': 'HealthRecord', done: true }
  expect(containsConfidentialValue({ 'hydra:member': [{ of: record }] })).toBe(false)
  expect(containsConfidentialValue({ ...record, finding: null })).toBe(false)
  expect(containsConfidentialValue({ 'hydra:member': [{ of: { ...record, finding: 'Asthma' } }] })).toBe(true)
  expect(containsConfidentialValue({ '@type': 'Note', finding: 'Loose board' })).toBe(false)
})
