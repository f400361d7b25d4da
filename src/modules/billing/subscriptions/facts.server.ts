import type { BillingCycle, Period } from '#kernel/money/periods.ts'
import { iriOf, type RowOf, type ValuesOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import type { Context } from '#server/engine/types.ts'
import { couponDiscount, coversPlan } from '../catalogue/coupon-rules.ts'
import { plan } from '../catalogue/plan.ts'
import { type subscription, subscriptionItem } from './subscription.ts'
import { type ChargeTerms, chargePiecesOf, type ItemSegment, laterDay, type RecurringItem } from './timeline.ts'

export type SubscriptionRow = RowOf<typeof subscription>
export type SubscriptionValues = ValuesOf<typeof subscription>
export type SubscriptionItemRow = RowOf<typeof subscriptionItem>
/** A segment, saved or about to be saved. */
export type StoredSegment = ItemSegment & { readonly id?: number }

const day = (iso: string) => Temporal.PlainDate.from(iso)

/** Today in London, `2026-02-28`. */
export const todayIso = ({ now }: Pick<Context, 'now'>): string => londonDate(now).toString()

export const billingCycleOf = ({
  anchor,
  interval,
  intervalCount,
}: Pick<SubscriptionRow, 'anchor' | 'interval' | 'intervalCount'>): BillingCycle => ({
  anchor: day(anchor),
  rhythm: interval,
  count: intervalCount,
})

/** Items that still affect charges; those of past periods are left out. */
export const loadCurrentItems = (
  c: Pick<Context, 'find'>,
  { id }: Pick<SubscriptionRow, 'id'>,
): Promise<SubscriptionItemRow[]> => c.find(subscriptionItem, { subscription: id })

/** Fields of a subscription that decide how its days are charged. */
type Charged = Pick<
  SubscriptionRow,
  | 'anchor'
  | 'interval'
  | 'intervalCount'
  | 'chargedFrom'
  | 'currentFrom'
  | 'renewsOn'
  | 'currency'
  | 'couponTerms'
  | 'discounted'
>

/**
 * Terms by which the current period is charged. A fixed discount doesn't apply to the days before the first full
 * period.
 */
export function chargeTermsOf(row: Charged): ChargeTerms {
  const { couponTerms, currency } = row
  const isBroken = row.currentFrom < row.anchor
  const from = laterDay(row.currentFrom, row.chargedFrom)
  const discount =
    couponTerms && row.discounted && !(isBroken && couponTerms.percentOff === null) ? couponDiscount(couponTerms) : null
  return {
    currency,
    pieces: from < row.renewsOn ? chargePiecesOf(billingCycleOf(row), { from: day(from), to: day(row.renewsOn) }) : [],
    discount,
    covers: (item) => isItemDiscounted(row, item),
  }
}

export const isItemDiscounted = ({ couponTerms }: Pick<SubscriptionRow, 'couponTerms'>, item: RecurringItem): boolean =>
  item.discountable &&
  (!couponTerms || coversPlan(couponTerms, item.plan === null ? undefined : iriOf(plan, item.plan)))

/** Pence for a full period of the continuing items, excluding VAT and discount. */
export const periodAmountOf = (items: readonly StoredSegment[]): number =>
  items.reduce((sum, { amount, quantity, until }) => sum + (until === null ? amount * quantity : 0), 0)

export const toPeriod = (from: string, to: string): Period => ({ from: day(from), to: day(to) })

/** Period from the first to the last day of the lines; empty if none has days. */
export function combinedPeriodOf(lines: readonly { readonly period?: Period }[]): { period?: Period } {
  const days = lines.flatMap(({ period }) => (period ? [period.from.toString(), period.to.toString()] : [])).toSorted()
  const [from, to] = [days.at(0), days.at(-1)]
  return from && to ? { period: toPeriod(from, to) } : {}
}

/** Saves the new items: existing ones keep their records, empty ones are deleted. */
export async function saveItems(
  c: Context,
  { id }: SubscriptionRow,
  before: readonly SubscriptionItemRow[],
  after: readonly StoredSegment[],
): Promise<void> {
  const right = c.withoutPermissionCheck('save the items of a subscription after its change')
  const kept = new Map(after.flatMap((one) => (one.id === undefined ? [] : [[one.id, one]])))
  for (const row of before) {
    const one = kept.get(row.id)
    if (!one) await right.remove(subscriptionItem, row)
    else if (one.until !== row.until) await right.set(subscriptionItem, row, { until: one.until }, 'change')
  }
  for (const { id: known, ...one } of after)
    if (known === undefined) await right.create(subscriptionItem, { ...one, subscription: id })
}
