import { expect, test } from 'vitest'
import { entitlementOf, irregularAccrual } from './entitlement.ts'
import { leaveYearOf } from './leave-year.ts'
import type { CycleDays, DatedPattern } from './work-pattern.ts'

const HOUR = 60
const none = { additionalDays: 0, serviceSteps: [] }

/** Cycle with shifts of this many minutes on its first days. */
const cycle = (worked: number, minutes: number, length = 7): CycleDays =>
  Array.from({ length }, (_, n) => {
    const end = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
    return n < worked ? [{ from: '00:00', until: end, breakMinutes: 0 }] : []
  })
const from = (days: CycleDays, day = '2000-01-03'): DatedPattern => ({ from: day, cycleStart: '2000-01-03', days })

function total(
  days: CycleDays,
  { start = '2000-01-03', leaving = null as string | null, year = '2011-06-01', startsOn = '01-01' } = {},
): number {
  const { reg13, reg13A, additional } = entitlementOf(
    leaveYearOf(year, startsOn),
    { start, leaving },
    [from(days)],
    none,
  ).minutes
  return reg13 + reg13A + additional
}

// https://www.gov.uk/holiday-entitlement-rights
test('a week of five days gives 28 days, one of three days 16.8, and one of six days 28 at most', () => {
  const day = 8 * HOUR
  expect(total(cycle(5, day))).toBe(28 * day)
  expect(total(cycle(3, day))).toBe(16.8 * day)
  expect(total(cycle(6, day))).toBe(28 * day)
  expect(total(cycle(7, day))).toBe(28 * day)
})

// https://www.gov.uk/government/publications/calculating-holiday-entitlement-for-workers
test('four shifts of 12 hours and four days off give 19.6 shifts', () => {
  expect(total(cycle(4, 12 * HOUR, 8))).toBe(14_112)
})

// https://www.nibusinessinfo.co.uk/content/calculating-holiday-entitlement-atypical-workers
test('36 compressed hours in four days give 201.6 hours', () => {
  expect(total(cycle(4, 9 * HOUR))).toBe(201.6 * HOUR)
})

// The values below are those of https://www.gov.uk/calculate-your-holiday-entitlement, by its published tests:
// https://github.com/alphagov/smart-answers/blob/main/test/unit/calculators/holiday_entitlement_test.rb
test('15 hours in three days give 84 hours, and 30 hours in six days 140', () => {
  expect(total(cycle(3, 5 * HOUR))).toBe(84 * HOUR)
  expect(total(cycle(6, 5 * HOUR))).toBe(140 * HOUR)
})

test('20.5 hours in three days give 114 hours and 48 minutes', () => {
  const days: CycleDays = [410, 410, 410, 0, 0, 0, 0].map((minutes) => (minutes ? (cycle(1, minutes, 1)[0] ?? []) : []))
  expect(total(days)).toBe(114 * HOUR + 48)
})

test('starters have the proportion of the year that remains, also in a leap year', () => {
  const day = 1000
  const days = (worked: number, more: Parameters<typeof total>[1]) => total(cycle(worked, day), more) / day
  const start = { start: '2012-03-12', year: '2012-06-01' }
  expect(days(5, start)).toBeCloseTo(22.57, 2)
  expect(days(7, start)).toBeCloseTo(22.57, 2)
  expect(days(3, start)).toBeCloseTo(13.54, 2)
  expect(days(7, { start: '2012-01-01', year: '2012-06-01' })).toBe(28)
})

test('leavers have the proportion of the year up to their last day', () => {
  const day = 1000
  const days = (worked: number, more: Parameters<typeof total>[1]) => total(cycle(worked, day), more) / day
  const leaving = { leaving: '2012-07-24', year: '2012-06-01' }
  expect(days(5, leaving)).toBeCloseTo(15.76, 2)
  expect(days(6, leaving)).toBeCloseTo(15.76, 2)
  expect(days(3, leaving)).toBeCloseTo(9.46, 2)
  expect(days(7, { leaving: '2012-12-31', year: '2012-06-01' })).toBe(28)
})

test('a starter of 32.5 hours on 1 March in a year that starts in April has 15.5 hours, rounded up', () => {
  const minutes = total(cycle(5, 390), { start: '2012-03-01', year: '2012-03-01', startsOn: '04-01' })
  expect(Math.ceil(minutes / 6) / 10).toBe(15.5)
})

test('shift workers who start or leave part-way have the proportion of their shifts', () => {
  const shift = 450
  const shifts = (more: Parameters<typeof total>[1]) => total(cycle(4, shift, 8), more) / shift
  expect(shifts({ start: '2012-07-01', year: '2012-07-01' })).toBeCloseTo(9.854, 2)
  expect(shifts({ leaving: '2012-09-30', year: '2012-07-01' })).toBeCloseTo(14.673, 2)
})

// Regulation 15B(4) of the Working Time Regulations 1998 and
// https://www.gov.uk/government/publications/simplifying-holiday-entitlement-and-holiday-pay-calculations
test('irregular hours give 12.07 % of a pay period, to the nearest hour', () => {
  expect([100, 68, 0, 4, 5].map((hours) => irregularAccrual(hours * HOUR) / HOUR)).toEqual([12, 8, 0, 0, 1])
  const year = leaveYearOf('2026-06-01', '01-01')
  const periods = [
    { until: '2025-12-31', minutes: 6000 },
    { until: '2026-01-31', minutes: 6000 },
    { until: '2026-02-28', minutes: 68 * HOUR },
  ]
  const { minutes } = entitlementOf(year, { start: '2025-01-01', leaving: null }, [from([])], none, periods)
  expect(minutes.reg13 + minutes.reg13A).toBe(20 * HOUR)
  expect(minutes.reg13).toBe(Math.round((20 * HOUR * 4) / 5.6))
})

test('leave of regulation 13 is four weeks, and that of regulation 13A the rest of 28 days', () => {
  const parts = (worked: number) =>
    entitlementOf(
      leaveYearOf('2026-06-01', '01-01'),
      { start: '2020-01-01', leaving: null },
      [from(cycle(worked, 480))],
      none,
    ).minutes
  expect(parts(5)).toEqual({ reg13: 20 * 480, reg13A: 8 * 480, additional: 0 })
  expect(parts(6)).toEqual({ reg13: 24 * 480, reg13A: 4 * 480, additional: 0 })
  expect(parts(7)).toEqual({ reg13: 28 * 480, reg13A: 0, additional: 0 })
})

test('a pattern that changes in the year gives the proportion of both, with the formula of each period', () => {
  const patterns = [from(cycle(5, 480)), from(cycle(2, 480), '2026-07-02')]
  const { minutes, formula } = entitlementOf(
    leaveYearOf('2026-06-01', '01-01'),
    { start: '2020-01-01', leaving: null },
    patterns,
    none,
  )
  expect(minutes.reg13 + minutes.reg13A).toBe(Math.ceil((28 * 480 * 182 + 11.2 * 480 * 183) / 365))
  expect(formula.split('\n')).toEqual([
    '2026-01-01 to 2026-07-01: 5.6 weeks × 40 hours a week × 182 ÷ 365 days',
    '2026-07-02 to 2026-12-31: 5.6 weeks × 16 hours a week × 183 ÷ 365 days',
  ])
})

test('a service step counts from the anniversary; of a start on 29 February, from 1 March', () => {
  const rules = { additionalDays: 0, serviceSteps: [{ years: 2, days: 5 }] }
  const additional = (year: string) =>
    entitlementOf(leaveYearOf(year, '01-01'), { start: '2024-02-29', leaving: null }, [from(cycle(5, 480))], rules)
      .minutes.additional
  expect([additional('2025-06-01'), additional('2026-06-01'), additional('2027-06-01')]).toEqual([
    0,
    Math.ceil((5 * 480 * 306) / 365),
    5 * 480,
  ])
})
