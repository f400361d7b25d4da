import { expect, test } from 'vitest'
import { dayAfterInterval, isWithinLaw } from './intervals.ts'

const START = Temporal.PlainDate.from('2024-01-01')
/** Days at the ends and beginnings of months over four years, which include 29 February. */
const DAYS = Array.from({ length: 1461 }, (_, days) => START.add({ days })).filter(({ day }) => day > 27 || day < 3)

test('an interval that is within the law ends no later than the legal one, from any day', () => {
  for (const legal of [
    ...[1, 3, 6, 12, 14].map((intervalMonths) => ({ intervalMonths, intervalDays: null })),
    ...[1, 7, 56].map((intervalDays) => ({ intervalMonths: null, intervalDays })),
  ]) {
    const candidates = [
      ...Array.from({ length: 15 }, (_, n) => ({ every: n + 1, unit: 'months' })),
      ...[1, 7, 27, 28, 29, 56, 89, 90, 181, 182, 365, 366, 424, 425].map((every) => ({ every, unit: 'days' })),
    ]
    for (const interval of candidates) {
      if (!isWithinLaw(interval, legal)) continue
      const isLater = DAYS.some((day) => {
        const last =
          legal.intervalMonths === null
            ? day.add({ days: legal.intervalDays })
            : day.add({ months: legal.intervalMonths })
        return (dayAfterInterval(day.toString(), interval) ?? '') > last.toString()
      })
      expect([interval, legal, isLater]).toEqual([interval, legal, false])
    }
  }
})

test('hours of use are never within a legal interval, and any interval is where the law states none', () => {
  expect(isWithinLaw({ every: 1, unit: 'hours' }, { intervalMonths: 12, intervalDays: null })).toBe(false)
  expect(isWithinLaw({ every: 500, unit: 'hours' }, { intervalMonths: null, intervalDays: null })).toBe(true)
})

test('a month after 31 January is the last day of February', () => {
  expect(dayAfterInterval('2027-01-31', { every: 1, unit: 'months' })).toBe('2027-02-28')
  expect(dayAfterInterval('2028-01-31', { every: 1, unit: 'months' })).toBe('2028-02-29')
})
