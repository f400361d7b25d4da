import fc from 'fast-check'
import { expect, test } from 'vitest'
import { londonDate } from './time.ts'
import { dateRangeFilter, mondayOf, recentMondays } from './weeks.ts'

const day = fc.integer({ min: 0, max: 20_000 }).map((days) => Temporal.PlainDate.from('2000-01-01').add({ days }))

test('a week begins on Monday, and every day is in exactly one week', () => {
  fc.assert(
    fc.property(day, (d) => {
      const monday = mondayOf(d)
      expect(monday.dayOfWeek).toBe(1)
      expect(d.since(monday).days).toBeGreaterThanOrEqual(0)
      expect(d.since(monday).days).toBeLessThan(7)
    }),
  )
})

test('the list of recent weeks ends with the current week', () => {
  const weeks = recentMondays(Temporal.PlainDate.from('2026-11-25'), 8).map(String)
  expect(weeks).toHaveLength(9)
  expect([weeks[0], weeks[7], weeks[8]]).toEqual(['2026-09-28', '2026-11-16', '2026-11-23'])
})

test('a day in a date range begins at midnight in London, even when the clocks change', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 1, max: 9 }), (d, days) => {
      const { 'at[after]': from = '', 'at[strictly_before]': to = '' } = dateRangeFilter('at', d, d.add({ days }))
      expect(londonDate(Temporal.Instant.from(from)).equals(d)).toBe(true)
      const last = Temporal.Instant.from(to).subtract({ milliseconds: 1 })
      expect(londonDate(last).equals(d.add({ days: days - 1 }))).toBe(true)
    }),
  )
})
