import { earlierDay } from '#kernel/time.ts'
import type { Context } from '#server/engine/types.ts'
import { type Discount, describeDiscounts, fingerprintDiscount } from '../approvals/discount.server.ts'
import { couponTermsOn, describeCoupon } from '../catalogue/coupon-rules.ts'
import { measureDiscount } from '../lines/line.ts'
import { type QuoteRow, quote } from '../quotes/quote.ts'
import { currentLondonIsoDate, type PlannedSubscriptionChange, type SubscriptionRow } from './periods.server.ts'
import type { SubscriptionChangeKind } from './subscription.ts'
import { describeRecurringItem, itemsOnDay, type RecurringItem, toRecurringItem } from './timeline.ts'

/** Kinds of changes that can raise a discount. A resumed subscription has the items that were paused. */
const CHANGES_OF_ITEMS: ReadonlySet<SubscriptionChangeKind> = new Set([
  'add',
  'quantity',
  'swap',
  'remove',
  'scheduled',
  'withdraw',
])

/** A discount that a change of the subscription raises, and the quote that granted it. */
interface RaisedDiscount {
  readonly quote: QuoteRow
  readonly given: Discount
}

/**
 * Returns the discount of a subscription after a change, measured like that of a quote with the same items; null if the
 * change doesn't raise it. An amount off each payment, for example, stays the same when seats are added.
 */
export async function findRaisedDiscount(
  c: Context,
  row: SubscriptionRow,
  { kind, before, after }: PlannedSubscriptionChange,
): Promise<RaisedDiscount | null> {
  if (row.quote === null || !CHANGES_OF_ITEMS.has(kind)) return null
  const days = [earlierDay(currentLondonIsoDate(c), row.renewsOn), row.renewsOn]
  const measure = (day: string, items: readonly RecurringItem[]) => measureSubscriptionDiscount(row, day, items)
  const former = days.map((day) => measure(day, itemsOnDay(before, day)).discount)
  const later = days.map((day) => measure(day, itemsOnDay(after, day)))
  const given = later.reduce((most, one) => (one.discount > most.discount ? one : most))
  if (given.discount <= Math.max(...former)) return null
  const of = await c.get(quote, row.quote)
  return of ? { quote: of, given } : null
}

function measureSubscriptionDiscount(row: SubscriptionRow, day: string, items: readonly RecurringItem[]): Discount {
  const { currency, interval, intervalCount, startedOn, chargedFrom } = row
  const rhythm =
    interval === 'quarter'
      ? { interval: 'month' as const, intervalCount: 3 * intervalCount }
      : { interval, intervalCount }
  const isUsedUp = row.couponPeriodsLeft === 0 && !(row.discounted && day < row.renewsOn)
  const coupon = isUsedUp ? null : couponTermsOn(row.couponTerms, day)
  const isFree = !row.charged && chargedFrom > startedOn
  const measured = measureDiscount({
    currency,
    lines: items.map((item) => ({ ...item, unitAmount: item.amount, ...rhythm })),
    coupon,
    start: { today: startedOn, billingCycleAnchor: isFree ? Date.parse(chargedFrom) / 1000 : null, prorate: false },
  })
  const sold = items.map((item) => describeRecurringItem(item)).join(', ')
  const words = describeDiscounts(coupon ? describeCoupon(coupon) : '', items, isFree ? chargedFrom : null)
  return {
    ...measured,
    words: `${words} for ${sold}`,
    print: fingerprintDiscount([row.id, coupon, isFree, items.map((item) => toRecurringItem(item))]),
  }
}
