export const BILLING_INTERVALS = ['month', 'quarter', 'year'] as const
export type BillingInterval = (typeof BILLING_INTERVALS)[number]

const MONTHS: Readonly<Record<BillingInterval, number>> = { month: 1, quarter: 3, year: 12 }

/** A period of full days. `to` is the day after the last day. */
export interface BillingPeriod {
  readonly from: Temporal.PlainDate
  readonly to: Temporal.PlainDate
}

/** Billing cycle of `count` months, quarters or years, starting on the anchor day. */
export interface BillingCycle {
  readonly anchor: Temporal.PlainDate
  readonly rhythm: BillingInterval
  readonly count: number
}

/**
 * Returns the nth period, counted from 0 at the anchor; `n` is negative for earlier periods. Each period starts on the
 * anchor's day of the month or, if the month has no such day, on its last day. Periods therefore never drift: 31
 * January, 28 February, 31 March.
 */
export const nthBillingPeriod = (cycle: BillingCycle, n: number): BillingPeriod => ({
  from: beginning(cycle, n),
  to: beginning(cycle, n + 1),
})

const beginning = ({ anchor, rhythm, count }: BillingCycle, n: number): Temporal.PlainDate =>
  anchor.add({ months: MONTHS[rhythm] * count * n })

/** Returns the number of the period that contains a day, counted from 0. */
export function findBillingPeriodNumber(cycle: BillingCycle, day: Temporal.PlainDate): number {
  const { anchor, rhythm, count } = cycle
  const months = (day.year - anchor.year) * 12 + (day.month - anchor.month)
  const n = Math.floor(months / (MONTHS[rhythm] * count))
  return Temporal.PlainDate.compare(day, beginning(cycle, n)) < 0 ? n - 1 : n
}

export const billingPeriodOn = (cycle: BillingCycle, day: Temporal.PlainDate): BillingPeriod =>
  nthBillingPeriod(cycle, findBillingPeriodNumber(cycle, day))

export const daysInPeriod = ({ from, to }: BillingPeriod): number => from.until(to, { largestUnit: 'days' }).days
