import { type Currency, type Decimal, formatMoney } from '#kernel/money.ts'
import { type Line, type Totals, totals } from '#kernel/money-totals.ts'
import { type CouponTerms, coversPlan, discountOf } from '../catalogue/coupon-rules.ts'
import { plan } from '../catalogue/plan.ts'
import { iriOfRelation, type LineRow, type Relation } from './line.ts'

/** A line with what a quote's totals need besides the price: its billing interval, and its plan for coupons. */
export interface SumLine extends Line, Partial<Pick<LineRow, 'interval' | 'intervalCount'>> {
  readonly plan?: Relation
}

export interface SumInput {
  readonly currency: Currency
  readonly taxPercent: Decimal
  readonly lines: readonly SumLine[]
  readonly coupon?: CouponTerms | null
}

export interface Afterwards {
  readonly interval: string
  readonly intervalCount: number
  /** Pence, including VAT, without a discount that has ended by then. */
  readonly gross: number
  /** Number of discounted periods; `undefined` if it makes no difference. */
  readonly discountedPeriods?: number
  readonly discountedGross?: number
}

export interface QuoteTotals extends Totals {
  readonly afterwards: readonly Afterwards[]
}

/** Totals without lines, as saved with a quote. */
export type QuoteSums = Omit<QuoteTotals, 'lines'>

const input = ({ currency, taxPercent, coupon }: SumInput, lines: readonly SumLine[], discounted: boolean) => ({
  currency,
  taxPercent,
  discount: coupon && discounted ? discountOf(coupon) : null,
  lines: coupon ? lines.map((line) => ({ ...line, discountable: isDiscountable(line, coupon) })) : lines,
})

const isDiscountable = (line: SumLine, coupon: CouponTerms) =>
  line.discountable !== false && coversPlan(coupon, iriOfRelation(plan, line.plan))

/**
 * First and recurring payments of a quote. A continuing discount keeps each line's share of the first payment: a fixed
 * amount is not deducted again for each interval. Throws a MoneyError for amounts that can't be totalled.
 */
export function quoteTotals(quote: SumInput): QuoteTotals {
  const first = totals(input(quote, quote.lines, true))
  const full = quote.coupon ? totals(input(quote, quote.lines, false)) : first
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
      const gross = (of: Totals) => lines.reduce((sum, { n }) => sum + (of.lines[n]?.gross ?? 0), 0)
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
export function recurringIn(afterwards: readonly Afterwards[]): Recurring[] {
  return afterwards.flatMap(({ interval, intervalCount, gross, discountedPeriods: last = 1, discountedGross }) => {
    const every = everyWords(interval, intervalCount)
    // The first payment is one of them.
    if (last <= 1 || discountedGross === undefined) return [{ when: every, pence: gross }]
    return [
      { when: `${every} up to payment ${last}`, pence: discountedGross },
      { when: `${every} from payment ${last + 1}`, pence: gross },
    ]
  })
}

/** Fields of a quote from which its payments are described. */
export interface Paid {
  /** Pence, including VAT. */
  readonly total: number
  readonly totals: Pick<QuoteSums, 'afterwards'> | null
  readonly currency: Currency
}

/** `£718.80 first, then £82.80 every month, including VAT`; `£718.80 including VAT` without recurring payments. */
export function paymentsWords({ total, totals, currency }: Paid): string {
  const recurring = recurringIn(totals?.afterwards ?? []).map((r) => `${formatMoney(r.pence, currency)} ${r.when}`)
  const first = formatMoney(total, currency)
  return recurring.length ? `${first} first, then ${recurring.join(' and ')}, including VAT` : `${first} including VAT`
}

/** `month`, 1 → `every month`; `month`, 3 → `every 3 months` */
export const everyWords = (interval: string, count: number | null | undefined): string =>
  (count ?? 1) === 1 ? `every ${interval}` : `every ${count} ${interval}s`
