import { formatMoney } from '#kernel/money.ts'
import type { Discount } from '#kernel/money-totals.ts'
import { type Instant, ukDate } from '#kernel/time.ts'

/** What a coupon says of itself; the record as the API sends it has all of it. */
export interface CouponTerms {
  readonly name?: string | null
  readonly percentOff: number | null
  readonly amountOff: number | null
  readonly currency: string | null
  readonly duration?: string | null
  readonly durationPeriods?: number | null
  readonly plans?: readonly string[] | null
  readonly maxRedemptions?: number | null
  readonly timesRedeemed?: number | null
  readonly expiresAt?: string | null
  readonly retired?: boolean
}

/**
 * Why the coupon can't be used, in a sentence; `undefined` when it can. `plans` are the IRIs that it is to be used for (leave
 * it out where there are none yet), `currency` that of the sum. `redeemed`: it is the customer's own already.
 */
export function whyNot(
  c: CouponTerms,
  on: { now: Instant; plans?: readonly string[]; currency?: string; redeemed?: boolean },
): string | undefined {
  const name = `The coupon “${c.name ?? ''}”`
  if (c.retired) return `${name} has been withdrawn. Choose another one.`
  if (c.expiresAt && Date.parse(c.expiresAt) <= on.now.epochMilliseconds)
    return `${name} expired on ${ukDate(Temporal.Instant.from(c.expiresAt))}. Choose another one.`
  if (!on.redeemed && c.maxRedemptions && (c.timesRedeemed ?? 0) >= c.maxRedemptions)
    return `${name} has been used up: it could be used ${c.maxRedemptions === 1 ? 'once' : `${c.maxRedemptions} times`}. Choose another one.`
  if (on.plans && c.plans?.length && !on.plans.some((p) => c.plans?.includes(p)))
    return `${name} is not for any of these plans. Choose another one, or add a plan that it is for.`
  if (on.currency && c.amountOff && c.currency !== on.currency)
    return `${name} is in ${c.currency}, and this is in ${on.currency}. Choose another one.`
  return undefined
}

/** May the coupon take something off a line for this plan (an IRI), or for something that is no plan? */
export const coversPlan = (c: Pick<CouponTerms, 'plans'>, plan?: string): boolean =>
  !c.plans?.length || (plan !== undefined && c.plans.includes(plan))

/** The coupon as a discount that totals can take off. */
export const discountOf = (c: Pick<CouponTerms, 'percentOff' | 'amountOff' | 'currency'>): Discount =>
  c.percentOff === null ? { amountOff: c.amountOff ?? 0, currency: c.currency ?? 'GBP' } : { percentOff: c.percentOff }

/** `10 % off`, `£25.00 off for 3 periods` */
export function couponWords(c: CouponTerms): string {
  const off = c.percentOff === null ? formatMoney(c.amountOff ?? 0, c.currency ?? 'GBP') : `${c.percentOff}\u00a0%`
  const long =
    c.duration === 'forever'
      ? ' every payment'
      : c.duration === 'periods'
        ? ` for ${c.durationPeriods} ${c.durationPeriods === 1 ? 'period' : 'periods'}`
        : ''
  return `${off} off${long}`
}
