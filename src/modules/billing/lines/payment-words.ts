import { type Currency, formatMoney } from '#kernel/money.ts'
import { type CouponTerms, describeCoupon } from '../catalogue/coupon-rules.ts'
import type { MeasuredDiscount, RecurringPayment, SavedQuoteTotals } from './line.ts'

/** Describes a measured discount, such as `£270.00 in the first year`, or `£20.00` if no payment recurs. */
export const describeMeasuredDiscount = (
  { discount, isRecurring }: Pick<MeasuredDiscount, 'discount' | 'isRecurring'>,
  currency: Currency,
): string => `${formatMoney(discount, currency)}${isRecurring ? ' in the first year' : ''}`

/**
 * Describes the discount of a quote, such as `10% off every payment`. A fixed amount that several billing intervals
 * share is stated for each of them.
 */
export function describeQuoteDiscount(
  coupon: CouponTerms,
  { currency, afterwards }: { readonly currency: Currency; readonly afterwards: readonly RecurringPayment[] },
): string {
  const last = coupon.duration === 'forever' ? Number.POSITIVE_INFINITY : (coupon.durationPeriods ?? 1)
  const shared = afterwards.filter((one) => one.amountOff !== undefined)
  if (afterwards.length < 2 || !shared.length || coupon.duration === 'once' || last < 2) return describeCoupon(coupon)
  const each = shared.flatMap(({ interval, intervalCount, amountOff = 0 }) =>
    amountOff ? [`${formatMoney(amountOff, currency)} ${describeBillingInterval(interval, intervalCount)}`] : [],
  )
  const until = Number.isFinite(last) ? ` up to payment ${last}` : ''
  return `${formatMoney(coupon.amountOff ?? 0, currency)} off the first payment, then ${each.join(' and ')}${until}`
}

interface Recurring {
  readonly when: string
  readonly pence: number
}

/**
 * Describes recurring payments: `every month` or, with a discount that ends, `every month up to payment 3` and `every
 * month from payment 4`.
 */
export function describeRecurringPayments(afterwards: readonly RecurringPayment[]): Recurring[] {
  return afterwards.flatMap(({ interval, intervalCount, gross, discountedPeriods: last = 1, discountedGross }) => {
    const every = describeBillingInterval(interval, intervalCount)
    // The first payment is one of the discounted payments, so a discount on one payment doesn't affect the recurring
    // payments.
    if (last <= 1 || discountedGross === undefined) return [{ when: every, pence: gross }]
    return [
      { when: `${every} up to payment ${last}`, pence: discountedGross },
      { when: `${every} from payment ${last + 1}`, pence: gross },
    ]
  })
}

/** Quote fields that are needed to describe the payments. */
export interface QuotePayments {
  /** Pence, including VAT. */
  readonly total: number
  readonly totals: Pick<SavedQuoteTotals, 'afterwards'> | null
  readonly currency: Currency
}

/**
 * Describes the payments, such as `£718.80 first, then £82.80 every month, including VAT`, or `£718.80 including VAT`
 * without recurring payments.
 */
export function describeQuotePayments({ total, totals, currency }: QuotePayments): string {
  const recurring = describeRecurringPayments(totals?.afterwards ?? []).map(
    (r) => `${formatMoney(r.pence, currency)} ${r.when}`,
  )
  const first = formatMoney(total, currency)
  return recurring.length ? `${first} first, then ${recurring.join(' and ')}, including VAT` : `${first} including VAT`
}

/** Describes a billing interval: `month`, 1 → `every month`; `month`, 3 → `every 3 months`. */
export const describeBillingInterval = (interval: string, count: number | null | undefined): string =>
  (count ?? 1) === 1 ? `every ${interval}` : `every ${count} ${interval}s`
