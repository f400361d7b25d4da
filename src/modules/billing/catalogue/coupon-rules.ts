import { type Violation, violation } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import type { Discount } from '#kernel/money-totals.ts'
import { formatUkDate, type Instant } from '#kernel/time.ts'

/** Terms of a coupon; the coupon's API record contains all of these fields. */
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
  /**
   * Different amount for periods that begin before a day. A subscription was charged with that amount until its share
   * of the coupon's amount applied in full.
   */
  readonly first?: { readonly before: string; readonly amountOff: number } | null
}

/** Discount of a quote without a coupon, which has the same effect as a coupon with these terms. */
export interface QuoteDiscount {
  readonly discountPercent?: number | null
  /** Pence. */
  readonly discountAmount?: number | null
  readonly discountDuration?: string | undefined
  readonly discountPeriods?: number | null
}

/** Returns the terms of a quote's own discount; null if it has none. */
export function quoteDiscountTerms(of: QuoteDiscount, currency: string): CouponTerms | null {
  const { discountPercent, discountAmount, discountDuration: duration = 'once', discountPeriods } = of
  if (!discountPercent && !discountAmount) return null
  return {
    percentOff: discountPercent || null,
    amountOff: discountPercent ? null : (discountAmount ?? null),
    currency,
    duration,
    durationPeriods: duration === 'periods' ? (discountPeriods ?? 1) : null,
  }
}

/** Returns the reasons why a quote can't have its own discount, by field. */
export function findQuoteDiscountProblems(of: QuoteDiscount & { readonly coupon?: unknown }): Violation[] {
  const { discountPercent, discountAmount, discountDuration, discountPeriods, coupon } = of
  if (!discountPercent && !discountAmount) return []
  if (discountPercent && discountAmount)
    return [violation('discountAmount', 'Enter the discount as a percentage or an amount, not both')]
  if (coupon)
    return [
      violation(
        discountPercent ? 'discountPercent' : 'discountAmount',
        'This quote has a coupon. Remove the coupon, or leave the discount blank',
      ),
    ]
  return discountDuration === 'periods' && !discountPeriods
    ? [violation('discountPeriods', 'Please enter the number of payments')]
    : []
}

/** Returns the reason why an amount can't be taken off the first payment in full, by field. */
export const findExcessDiscount = (
  { discountAmount }: QuoteDiscount,
  totals: { readonly discount: number; readonly currency: string } | undefined | null,
): Violation[] =>
  totals && discountAmount && discountAmount > totals.discount
    ? [
        violation(
          'discountAmount',
          `The discount can’t be more than ${formatMoney(totals.discount, totals.currency)}, the price of the lines that it applies to`,
        ),
      ]
    : []

/** Returns the terms for a period that begins on the day; null if a fixed discount is nil. */
export function couponTermsOn(terms: CouponTerms | null, day: string): CouponTerms | null {
  if (!terms || terms.percentOff !== null) return terms
  const { first, ...rest } = terms
  const amountOff = first && day < first.before ? first.amountOff : terms.amountOff
  return amountOff ? { ...rest, amountOff } : null
}

/**
 * Returns a sentence that says why the coupon can't be used, or `undefined` if it can. `plans`: IRIs of the plans that
 * the coupon would apply to (omitted if there are none yet). `currency`: currency of the total. `redeemed`: true if the
 * customer already has the coupon.
 */
export function findCouponRejectionReason(
  c: CouponTerms,
  on: { now: Instant; plans?: readonly string[]; currency?: string; redeemed?: boolean },
): string | undefined {
  const name = `The coupon “${c.name ?? ''}”`
  if (c.retired) return `${name} has been withdrawn. Choose another one.`
  if (c.expiresAt && Date.parse(c.expiresAt) <= on.now.epochMilliseconds)
    return `${name} expired on ${formatUkDate(Temporal.Instant.from(c.expiresAt))}. Choose another one.`
  if (!on.redeemed && c.maxRedemptions && (c.timesRedeemed ?? 0) >= c.maxRedemptions)
    return `${name} has been used up: it could be used ${c.maxRedemptions === 1 ? 'once' : `${c.maxRedemptions} times`}. Choose another one.`
  if (on.plans && c.plans?.length && !on.plans.some((p) => c.plans?.includes(p)))
    return `${name} doesn’t apply to any of these plans. Choose another one, or add a plan it applies to.`
  if (on.currency && c.amountOff && c.currency !== on.currency)
    return `${name} is in ${c.currency} and can’t be used with amounts in ${on.currency}. Choose another one.`
  return undefined
}

/** Returns whether the coupon applies to a line with this plan (an IRI), or to a line without a plan. */
export const couponCoversPlan = (c: Pick<CouponTerms, 'plans'>, plan?: string): boolean =>
  !c.plans?.length || (plan !== undefined && c.plans.includes(plan))

/** Converts the coupon into a discount for calculating totals. */
export const couponDiscount = (c: Pick<CouponTerms, 'percentOff' | 'amountOff' | 'currency'>): Discount =>
  c.percentOff === null ? { amountOff: c.amountOff ?? 0, currency: c.currency ?? 'GBP' } : { percentOff: c.percentOff }

/** Describes a coupon, such as `10% off` or `£25.00 off for 3 periods`. */
export function describeCoupon(c: CouponTerms): string {
  const off = c.percentOff === null ? formatMoney(c.amountOff ?? 0, c.currency ?? 'GBP') : `${c.percentOff}%`
  const long =
    c.duration === 'forever'
      ? ' every payment'
      : c.duration === 'periods'
        ? ` for ${c.durationPeriods} ${c.durationPeriods === 1 ? 'period' : 'periods'}`
        : ''
  return `${off} off${long}`
}
