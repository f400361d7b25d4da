import { addDays } from '#kernel/time.ts'
import { dayNumberOf, listDays, weekdayOf } from '../leave-rules/days.ts'

/** Rates of statutory sick pay from a day, in pounds, as published. */
export interface SickPayRate {
  readonly from: string
  readonly sspWeekly: number
  /** Percentage of average weekly earnings that limits the rate; null before April 2026. */
  readonly sspPercent: number | null
  readonly sspWaitingDays: number
  readonly lowerEarningsLimit: number
  readonly sspNeedsLowerEarningsLimit: boolean
}

export interface SickPay {
  /** Days on which the employee would have worked, and those of them that are paid. */
  readonly qualifyingDays: number
  readonly paidDays: number
  readonly pence: number
  readonly formula: readonly string[]
}

const DAYS_PER_WEEK = 7
const MAX_WEEKS = 28
const MIN_INCAPACITY_DAYS = 4
const PENCE = 100
const PERCENT = 100

const rateOn = (rates: readonly SickPayRate[], day: string): SickPayRate | undefined =>
  rates.findLast(({ from }) => from <= day)

/** Weekly rate in pence on a day; 0 if the earnings are below the limit that applied then. */
function weeklyPence(rate: SickPayRate, weeklyEarnings: number): number {
  if (rate.sspNeedsLowerEarningsLimit && weeklyEarnings < rate.lowerEarningsLimit) return 0
  const limit = rate.sspPercent === null ? Number.POSITIVE_INFINITY : (weeklyEarnings * rate.sspPercent) / PERCENT
  return Math.round(Math.min(rate.sspWeekly, limit) * PENCE)
}

/**
 * Statutory sick pay of one absence, for information: the rates of each day, from the first qualifying day since 6 April
 * 2026, for 28 weeks at most. Absences that the law links with it are not counted. `works` states whether the employee
 * works on a day. Undefined if there are no rates for the days.
 */
export function statutorySickPay(
  { firstDay, lastDay }: { readonly firstDay: string; readonly lastDay: string },
  weeklyEarnings: number,
  works: (day: string) => boolean,
  rates: readonly SickPayRate[],
): SickPay | undefined {
  const first = rateOn(rates, firstDay)
  if (!first) return undefined
  const days = listDays(firstDay, lastDay)
  const qualifying = days.filter(works)
  const isTooShort = first.sspWaitingDays > 0 && days.length < MIN_INCAPACITY_DAYS
  const paid = isTooShort ? [] : qualifying.slice(first.sspWaitingDays)
  const lines = new Map<string, { days: number; pence: number }>()
  let weeks = 0
  let pence = 0
  let paidDays = 0
  for (const day of paid) {
    const inWeek = qualifyingDaysOfWeek(day, works)
    if (weeks + 1 / inWeek > MAX_WEEKS + 1e-9) break
    const rate = rateOn(rates, day) ?? first
    const daily = weeklyPence(rate, weeklyEarnings) / inWeek
    const words = `£${(weeklyPence(rate, weeklyEarnings) / PENCE).toFixed(2)} a week ÷ ${inWeek} qualifying days`
    const line = lines.get(words) ?? { days: 0, pence: 0 }
    lines.set(words, { days: line.days + 1, pence: line.pence + daily })
    weeks += 1 / inWeek
    pence += daily
    paidDays++
  }
  return {
    qualifyingDays: qualifying.length,
    paidDays,
    pence: Math.max(0, Math.ceil(pence - 1e-6)),
    formula: [...lines].map(([words, line]) => `${line.days} days × ${words}`),
  }
}

/** Days of the week, from Sunday to Saturday, on which the employee works. */
function qualifyingDaysOfWeek(day: string, works: (day: string) => boolean): number {
  const sunday = addDays(day, -((weekdayOf(dayNumberOf(day)) + 1) % DAYS_PER_WEEK))
  const days = listDays(sunday, addDays(sunday, DAYS_PER_WEEK - 1)).filter(works)
  return Math.max(1, days.length)
}
