import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scaleRunCount } from '#test/support/scope.ts'
import { dueDay } from './checklist.ts'

test.each([
  ['2028-02-29', 0, '2028-02-29'],
  ['2028-03-01', -1, '2028-02-29'],
  ['2026-03-01', -1, '2026-02-28'],
  ['2027-12-31', 1, '2028-01-01'],
  ['2028-02-29', 366, '2029-03-01'],
])('a task of %s and %i days is due on %s', (base, days, due) => {
  expect(dueDay(base, days)).toBe(due)
})

test('a task without a first or last day has no due day', () => {
  expect(dueDay(null, 3)).toBeNull()
})

test('a due day is as many days from its base as the template states', () => {
  const base = Temporal.PlainDate.from('1990-01-01')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 70_000 }), fc.integer({ min: -366, max: 366 }), (n, days) => {
      const from = base.add({ days: n })
      expect(from.until(dueDay(from.toString(), days) ?? '').days).toBe(days)
    }),
    { numRuns: scaleRunCount(2000) },
  )
})
