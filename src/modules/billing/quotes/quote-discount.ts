import { type Violation, violation } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'

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

/** Returns why a quote can't have its own discount, at its fields. */
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

/** Returns why an amount can't be taken off the first payment in full, at its field. */
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
