import type { BillingInterval } from '#kernel/money/periods.ts'
import type { Currency } from '#kernel/money.ts'
import type { CancelReason } from '../subscriptions/subscription.ts'
import { recurringItemAmount } from '../subscriptions/timeline.ts'

export const RECURRING_REVENUE_URL = '/api/financial/ledger/recurring'

/** Movements of recurring revenue in a month, with the opening and closing values. */
export const REVENUE_MOVEMENTS = [
  { value: 'start', label: 'Opening' },
  { value: 'new', label: 'New' },
  { value: 'expansion', label: 'Expansion' },
  { value: 'contraction', label: 'Contraction' },
  { value: 'churn', label: 'Churn' },
  { value: 'end', label: 'Closing' },
] as const
export type RevenueMovement = (typeof REVENUE_MOVEMENTS)[number]['value']

/** A recurring item with its monthly revenue. `until` is the day after the item's last day. */
export interface RecurringRevenueSpan {
  readonly customer: number
  readonly subscription: number
  readonly product: number | null
  readonly currency: Currency
  readonly from: string
  readonly until: string | null
  /** Pence, excluding VAT, after the item's own discount and before any discount from a coupon or quote. */
  readonly monthly: number
}

const MONTHS: Readonly<Record<BillingInterval, number>> = { month: 1, quarter: 3, year: 12 }

/** Returns the monthly share of a price, to the nearest penny. */
export const monthlyShareInPence = (
  item: Parameters<typeof recurringItemAmount>[0],
  rhythm: BillingInterval,
  count: number,
): number => recurringItemAmount(item, 1, MONTHS[rhythm] * count)

/** A customer's monthly revenue from a product before and after a month, and the movement. */
export interface RevenueChange {
  readonly customer: number
  readonly product: number | null
  readonly currency: Currency
  readonly before: number
  readonly after: number
  /** Movement; null if the revenue is unchanged. */
  readonly move: Exclude<RevenueMovement, 'start' | 'end'> | null
  readonly subscriptions: readonly number[]
}

const isThere = ({ from, until }: RecurringRevenueSpan, day: string) => from <= day && (until === null || until > day)
const sum = (of: readonly RecurringRevenueSpan[], day: string) =>
  of.reduce((all, one) => all + (isThere(one, day) ? one.monthly : 0), 0)

/**
 * Returns the changes between two days, by customer and product. Customers without earlier revenue are new, and
 * customers without later revenue have churned. For all others, each product has expanded or contracted.
 */
export function revenueChangesBetween(
  spans: readonly RecurringRevenueSpan[],
  before: string,
  after: string,
): RevenueChange[] {
  const there = spans.filter((one) => isThere(one, before) || isThere(one, after))
  return [...Map.groupBy(there, ({ customer, currency }) => `${customer} ${currency}`).values()].flatMap((own) => {
    const [was, is] = [sum(own, before), sum(own, after)]
    return [...Map.groupBy(own, ({ product }) => product)].map(([product, of]): RevenueChange => {
      const { customer, currency } = of[0] as RecurringRevenueSpan
      const [from, to] = [sum(of, before), sum(of, after)]
      const grown = to > from ? 'expansion' : 'contraction'
      return {
        customer,
        product,
        currency,
        before: from,
        after: to,
        move: from === to ? null : was === 0 ? 'new' : is === 0 ? 'churn' : grown,
        subscriptions: [...new Set(of.map((one) => one.subscription))],
      }
    })
  })
}

export type RevenueMovementTotals = Readonly<Record<RevenueMovement, number>>

/** Sums changes by movement, with opening and closing values. */
export function sumRevenueMovements(changes: readonly RevenueChange[]): RevenueMovementTotals {
  const moved = (move: RevenueMovement) =>
    changes.reduce((all, c) => all + (c.move === move ? c.after - c.before : 0), 0)
  return {
    start: changes.reduce((all, c) => all + c.before, 0),
    new: moved('new'),
    expansion: moved('expansion'),
    contraction: moved('contraction'),
    churn: moved('churn'),
    end: changes.reduce((all, c) => all + c.after, 0),
  }
}

export const filterChangesByMovement = (changes: readonly RevenueChange[], move: RevenueMovement): RevenueChange[] =>
  changes.filter((c) => (move === 'start' ? c.before !== 0 : move === 'end' ? c.after !== 0 : c.move === move))

/**
 * A month of the report. Revenue is compared between the last day of the previous month (`before`) and the last day of
 * the month (`after`), or today for the current month.
 */
export interface ReportMonth {
  /** Month, such as `2026-02`. */
  readonly month: string
  readonly before: string
  readonly after: string
}

/** Returns the number of months from one date to another, without future months. It may be below one. */
export function countReportMonths(from: string, to: string, today: string): number {
  const [first, last] = [from, to < today ? to : today].map((day) => Temporal.PlainDate.from(day).with({ day: 1 }))
  return first && last ? first.until(last, { largestUnit: 'months' }).months + 1 : 0
}

/** Returns the months from one date to another, without future months. */
export function listReportMonths(from: string, to: string, today: string): ReportMonth[] {
  const months: ReportMonth[] = []
  const last = Temporal.PlainDate.from(to < today ? to : today)
  for (
    let first = Temporal.PlainDate.from(from).with({ day: 1 });
    Temporal.PlainDate.compare(first, last) <= 0;
    first = first.add({ months: 1 })
  ) {
    const end = first.add({ months: 1 }).subtract({ days: 1 }).toString()
    months.push({
      month: first.toString().slice(0, 7),
      before: first.subtract({ days: 1 }).toString(),
      after: end < today ? end : today,
    })
  }
  return months
}

export interface RecurringRevenueRow {
  readonly month: string
  readonly currency: Currency
  readonly product: number | null
  /** Product name; null for all products. */
  readonly name: string | null
  readonly moves: RevenueMovementTotals
}

/** Subscriptions cancelled in the period for one reason, and their monthly revenue on the last day. */
export interface CancelledRevenue {
  readonly currency: Currency
  readonly reason: CancelReason
  readonly subscriptions: number
  readonly monthly: number
}

export interface RecurringRevenueReport {
  readonly from: string
  readonly to: string
  readonly rows: readonly RecurringRevenueRow[]
  /** By currency, largest loss first. */
  readonly cancelled: readonly CancelledRevenue[]
}

/** Subscription of a span, as it was when it ended. */
export interface EndedSubscription {
  readonly ended: string | null
  readonly reason: CancelReason | null
}

/** Sums the revenue of subscriptions that ended in a period, by reason. Both days are part of the period. */
export function sumCancelledRevenue(
  spans: readonly (RecurringRevenueSpan & EndedSubscription)[],
  from: string,
  to: string,
): CancelledRevenue[] {
  const ended = spans.filter((one) => one.ended !== null && one.ended >= from && one.ended <= to)
  return [...Map.groupBy(ended, ({ currency, reason }) => `${currency} ${reason}`).values()]
    .flatMap((of) => {
      const [first] = of
      if (!first) return []
      return {
        currency: first.currency,
        reason: first.reason ?? 'notRecorded',
        subscriptions: new Set(of.map((one) => one.subscription)).size,
        monthly: of.reduce((sum, one) => sum + (one.until === one.ended ? one.monthly : 0), 0),
      }
    })
    .toSorted((a, b) => a.currency.localeCompare(b.currency) || b.monthly - a.monthly)
}

export interface NamedRevenueChange extends RevenueChange {
  readonly company: string
  readonly name: string
}
