import { nthPeriod, type Rhythm } from '#kernel/money/periods.ts'
import { defaultTaxCode } from '#kernel/money/tax-codes.ts'
import { formatMoney } from '#kernel/money.ts'
import { londonDate } from '#kernel/time.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import type { InvoiceDraftLine } from '../invoices/issue.server.ts'
import type { LineRow } from '../lines/line.ts'
import { allLines } from '../lines/lines.ts'
import { quoteTotals } from '../lines/sum.ts'
import type { QuoteRow } from '../quotes/quote.ts'
import type { SubscriptionValues } from './facts.server.ts'
import type { RecurringItem } from './timeline.ts'

/** A quote line with its total after its share of the discount. */
export interface SignedLine {
  readonly line: LineRow
  readonly discount: number
}

export function billingAnchorOf({ billingCycleAnchor: at }: QuoteRow, start: string): string {
  const day = at === null ? start : londonDate(Temporal.Instant.fromEpochMilliseconds(at * 1000)).toString()
  return day > start ? day : start
}

export function signedLinesOf(row: QuoteRow): SignedLine[] {
  const lines = allLines(row)
  const sums = quoteTotals({ currency: row.currency, taxPercent: row.taxPercent, lines, coupon: row.couponTerms })
  return lines.map((line, n) => ({ line, discount: sums.lines[n]?.discount ?? 0 }))
}

/** Coupon terms for some of the lines: of a fixed discount, their share. */
export function couponShareOf(terms: CouponTerms | null, lines: readonly SignedLine[]): CouponTerms | null {
  const share = lines.reduce((sum, { discount }) => sum + discount, 0)
  if (!terms || share === 0) return null
  return terms.percentOff === null ? { ...terms, amountOff: share } : terms
}

export const groupByInterval = (signed: readonly SignedLine[]): SignedLine[][] => [
  ...Map.groupBy(
    signed.filter(({ line }) => line.interval),
    ({ line }) => `${line.interval} ${line.intervalCount ?? 1}`,
  ).values(),
]

export function firstInvoiceLines(row: QuoteRow, signed: readonly SignedLine[], anchor: string): InvoiceDraftLine[] {
  return signed.map(({ line }): InvoiceDraftLine => {
    const cycle = {
      anchor: Temporal.PlainDate.from(anchor),
      rhythm: line.interval as Rhythm,
      count: line.intervalCount ?? 1,
    }
    return {
      plan: line.plan,
      sku: line.sku,
      description: line.description,
      quantity: line.quantity,
      unitAmount: line.unitAmount,
      taxCode: codeOf(line, row),
      taxPercent: line.taxPercent ?? row.taxPercent,
      discountable: line.discountable,
      ...(line.interval ? { period: nthPeriod(cycle, 0) } : {}),
    }
  })
}

const codeOf = (line: LineRow, row: QuoteRow) => line.taxCode ?? defaultTaxCode(line.taxPercent ?? row.taxPercent)

export interface SubscriptionStart {
  readonly start: string
  readonly anchor: string
  readonly isLater: boolean
}

/** Initial values of a subscription for quote lines with one interval. */
export function initialSubscriptionValues(
  row: QuoteRow,
  items: readonly RecurringItem[],
  lines: readonly SignedLine[],
  b: SubscriptionStart,
): SubscriptionValues {
  const { line: first } = lines[0] as SignedLine
  const [interval, intervalCount] = [first.interval as Rhythm, first.intervalCount ?? 1]
  const cycle = { anchor: Temporal.PlainDate.from(b.anchor), rhythm: interval, count: intervalCount }
  const terms = couponShareOf(row.couponTerms, lines)
  return {
    customer: row.customer,
    company: row.company ?? '',
    quote: row.id,
    // Free days before billing starts are a trial.
    ...(b.isLater && !row.prorate ? { status: 'trialing', trialUntil: b.anchor } : { status: 'active' }),
    currency: row.currency,
    interval,
    intervalCount,
    amount: items.reduce((sum, item) => sum + item.amount * item.quantity, 0),
    anchor: b.anchor,
    startedOn: b.start,
    chargedFrom: b.isLater && !row.prorate ? b.anchor : b.start,
    currentFrom: b.start,
    renewsOn: b.isLater ? b.anchor : nthPeriod(cycle, 0).to.toString(),
    charged: !b.isLater,
    couponTerms: terms,
    couponPeriodsLeft: periodsLeft(terms, b.isLater),
    discounted: terms !== null,
  }
}

/** Discounted periods after the current one; null for all. */
function periodsLeft(terms: CouponTerms | null, isLater: boolean): number | null {
  if (!terms || terms.duration === 'forever') return null
  const all = terms.duration === 'periods' ? (terms.durationPeriods ?? 1) : 1
  return isLater ? all : all - 1
}

/** A line as an item; a fractional quantity or price becomes one item at the total. */
export function toSubscriptionItem(line: LineRow, row: QuoteRow, product: number | null): RecurringItem {
  const isWhole = Number.isInteger(line.quantity) && Number.isInteger(line.unitAmount)
  const { lines } = quoteTotals({
    currency: row.currency,
    taxPercent: 0,
    lines: [{ ...line, taxPercent: 0, taxCode: null }],
  })
  return {
    plan: line.plan,
    product,
    description: isWhole
      ? line.description
      : `${line.description} × ${line.quantity} at ${formatMoney(line.unitAmount, row.currency)}`,
    amount: isWhole ? line.unitAmount : (lines[0]?.amount ?? 0),
    quantity: isWhole ? line.quantity : 1,
    taxCode: codeOf(line, row),
    taxPercent: line.taxPercent ?? row.taxPercent,
    discountable: line.discountable,
  }
}
