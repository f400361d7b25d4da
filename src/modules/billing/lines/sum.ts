import { type Currency, type Decimal, formatMoney } from '#kernel/money.ts'
import { calculateTotals, type DocumentTotals, type TotalsLine } from '#kernel/money-totals.ts'
import { type CouponTerms, couponCoversPlan, couponDiscount } from '../catalogue/coupon-rules.ts'
import { plan } from '../catalogue/plan.ts'
import { iriOfRelation, type LineRelationValue, type PricedLineRow } from './line.ts'

/** A line with the additional fields that a quote's totals need: its billing interval, and its plan for coupons. */
export interface QuoteTotalLine extends TotalsLine, Partial<Pick<PricedLineRow, 'interval' | 'intervalCount'>> {
  readonly plan?: LineRelationValue
}

interface QuoteTotalsInput {
  readonly currency: Currency
  readonly taxPercent: Decimal
  readonly lines: readonly QuoteTotalLine[]
  readonly coupon?: CouponTerms | null
}

interface RecurringPayment {
  readonly interval: string
  readonly intervalCount: number
  /** Pence, including VAT, without a discount that has ended by then. */
  readonly gross: number
  /** Number of discounted periods; `undefined` if it makes no difference. */
  readonly discountedPeriods?: number
  readonly discountedGross?: number
}

export interface QuoteTotals extends DocumentTotals {
  readonly afterwards: readonly RecurringPayment[]
}

/** Totals without lines, as saved with a quote. */
export type SavedQuoteTotals = Omit<QuoteTotals, 'lines'>

const input = (
  { currency, taxPercent, coupon }: QuoteTotalsInput,
  lines: readonly QuoteTotalLine[],
  discounted: boolean,
) => ({
  currency,
  taxPercent,
  discount: coupon && discounted ? couponDiscount(coupon) : null,
  lines: coupon ? lines.map((line) => ({ ...line, discountable: isDiscountable(line, coupon) })) : lines,
})

const isDiscountable = (line: QuoteTotalLine, coupon: CouponTerms) =>
  line.discountable !== false && couponCoversPlan(coupon, iriOfRelation(plan, line.plan))

/**
 * First and recurring payments of a quote. With a continuing discount, each line has the same share as in the first
 * payment: a fixed amount is not deducted again for each interval. Throws a MoneyError for amounts that can't be
 * totalled.
 */
export function computeQuoteTotals(quote: QuoteTotalsInput): QuoteTotals {
  const first = calculateTotals(input(quote, quote.lines, true))
  const full = quote.coupon ? calculateTotals(input(quote, quote.lines, false)) : first
  const byRhythm = Map.groupBy(
    quote.lines.flatMap((line, n) =>
      line.interval ? [{ rhythm: `${line.interval} ${line.intervalCount ?? 1}`, n }] : [],
    ),
    ({ rhythm }) => rhythm,
  )
  return {
    ...first,
    afterwards: [...byRhythm].map(([rhythm, lines]) => {
      const [interval = '', count] = rhythm.split(' ')
      const gross = (of: DocumentTotals) => lines.reduce((sum, { n }) => sum + (of.lines[n]?.gross ?? 0), 0)
      const long = quote.coupon?.duration
      return {
        interval,
        intervalCount: Number(count),
        gross: gross(long === 'forever' ? first : full),
        ...(quote.coupon && long === 'periods'
          ? { discountedPeriods: quote.coupon.durationPeriods ?? 1, discountedGross: gross(first) }
          : {}),
      }
    }),
  }
}

interface Recurring {
  readonly when: string
  readonly pence: number
}

/** `every month`; with a discount that ends, `every month up to payment 3` and `every month from payment 4`. */
export function describeRecurringPayments(afterwards: readonly RecurringPayment[]): Recurring[] {
  return afterwards.flatMap(({ interval, intervalCount, gross, discountedPeriods: last = 1, discountedGross }) => {
    const every = describeBillingInterval(interval, intervalCount)
    // The first payment is one of the discounted payments.
    if (last <= 1 || discountedGross === undefined) return [{ when: every, pence: gross }]
    return [
      { when: `${every} up to payment ${last}`, pence: discountedGross },
      { when: `${every} from payment ${last + 1}`, pence: gross },
    ]
  })
}

/** Fields of a quote from which its payments are described. */
export interface QuotePayments {
  /** Pence, including VAT. */
  readonly total: number
  readonly totals: Pick<SavedQuoteTotals, 'afterwards'> | null
  readonly currency: Currency
}

/** `£718.80 first, then £82.80 every month, including VAT`; `£718.80 including VAT` without recurring payments. */
export function describeQuotePayments({ total, totals, currency }: QuotePayments): string {
  const recurring = describeRecurringPayments(totals?.afterwards ?? []).map(
    (r) => `${formatMoney(r.pence, currency)} ${r.when}`,
  )
  const first = formatMoney(total, currency)
  return recurring.length ? `${first} first, then ${recurring.join(' and ')}, including VAT` : `${first} including VAT`
}

/** `month`, 1 → `every month`; `month`, 3 → `every 3 months` */
export const describeBillingInterval = (interval: string, count: number | null | undefined): string =>
  (count ?? 1) === 1 ? `every ${interval}` : `every ${count} ${interval}s`
