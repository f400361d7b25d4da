import type { Iri } from '#kernel/fields.ts'
import { allocatePence } from '#kernel/money/allocate.ts'
import { type Currency, type Decimal, formatMoney, penceToNumber } from '#kernel/money.ts'
import { calculateTotals, type DocumentTotals, describeLineDiscount, type TotalsLine } from '#kernel/money-totals.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'
import { type CouponTerms, couponCoversPlan, couponDiscount } from '../catalogue/coupon-rules.ts'
import { plan, sku } from '../catalogue/plan.ts'
import type { PricedLineRow } from './line-vat.ts'
import { QUOTE_LINE_LIST_NAMES, type QuoteLineLists } from './lines.ts'

export const QUANTITY_TOO_LOW_MESSAGE = 'The quantity must be more than 0'
/** Reason why a fractional quantity of a plan can't be sold: subscriptions are charged in whole quantities. */
export const PART_QUANTITY_MESSAGE = 'A plan is charged in whole quantities. Please enter a whole number'

/** Returns true if the line has a plan with a fractional quantity. */
export const hasPartQuantityOfPlan = ({ quantity, plan }: { quantity: number | null; plan?: unknown }): boolean =>
  Boolean(plan) && quantity !== null && !Number.isInteger(quantity)

/** Returns why a line's quantity is invalid; `undefined` if it is valid. A missing quantity is reported on saving. */
export function findQuantityProblem(line: { quantity: number | null; plan?: unknown }): string | undefined {
  if (line.quantity !== null && line.quantity <= 0) return QUANTITY_TOO_LOW_MESSAGE
  return hasPartQuantityOfPlan(line) ? PART_QUANTITY_MESSAGE : undefined
}

/** A relation of a line in any form: an ID, an IRI or the record itself. */
export type LineRelationValue = number | Iri | { readonly '@id': Iri } | null | undefined

const iriOfRelation = (r: Resource, to: LineRelationValue): Iri | undefined =>
  typeof to === 'number' ? iriOf(r, to) : typeof to === 'string' ? to : to?.['@id']

interface ComparedLine extends QuoteTotalsLine {
  readonly description: string
  readonly sku?: LineRelationValue
}

export interface QuoteLineDiff<L> {
  readonly before: L | undefined
  readonly after: L | undefined
  readonly kind: 'added' | 'removed' | 'changed' | 'same'
}

/**
 * Returns the IRI of a line's plan or SKU or, for a custom line, the normalised description. Lines in two revisions
 * match if they have the same value.
 */
const thingOf = (l: ComparedLine) =>
  iriOfRelation(plan, l.plan) ?? iriOfRelation(sku, l.sku) ?? l.description.trim().toLowerCase()
const COMPARED = [
  'description',
  'quantity',
  'unitAmount',
  'discountPercent',
  'taxPercent',
  'interval',
  'intervalCount',
  'discountable',
] as const

const areAlike = (a: ComparedLine, b: ComparedLine) => COMPARED.every((k) => (a[k] ?? null) === (b[k] ?? null))

/**
 * Returns the changes from one revision to the next. For each list, the newer revision's lines come first, in order,
 * followed by the removed lines.
 */
export function diffQuoteLines<L extends ComparedLine>(
  before: QuoteLineLists<L>,
  after: QuoteLineLists<L>,
): QuoteLineDiff<L>[] {
  return QUOTE_LINE_LIST_NAMES.flatMap((list) => {
    const left = [...before[list]]
    const kept = after[list].map((line): QuoteLineDiff<L> => {
      const at = left.findIndex((l) => thingOf(l) === thingOf(line))
      const former = at < 0 ? undefined : left.splice(at, 1)[0]
      return { before: former, after: line, kind: !former ? 'added' : areAlike(former, line) ? 'same' : 'changed' }
    })
    return [...kept, ...left.map((line): QuoteLineDiff<L> => ({ before: line, after: undefined, kind: 'removed' }))]
  })
}

/**
 * A line with the additional fields needed for a quote's totals: the billing interval, and the plan to which coupons
 * apply.
 */
export interface QuoteTotalsLine extends TotalsLine, Partial<Pick<PricedLineRow, 'interval' | 'intervalCount'>> {
  readonly plan?: LineRelationValue
}

/** Describes the price of a line, such as `3 × £24.99 less 12.5%`. */
export const describeLinePrice = (
  line: Pick<PricedLineRow, 'quantity' | 'unitAmount'> & Pick<TotalsLine, 'discountPercent'>,
  currency: Currency,
): string =>
  `${line.quantity.toLocaleString('en-GB', { maximumFractionDigits: 4 })} × ${formatMoney(line.unitAmount, currency)} ${describeLineDiscount(line)}`.trim()

/** Time at which a quote's billing starts, from which the free time before it is measured. */
export interface BillingStart {
  /** Day of acceptance, such as `2026-02-28`. */
  readonly today: string
  /** Unix seconds; null if billing starts on acceptance. */
  readonly billingCycleAnchor: number | null
  /** True if the time before the start is charged pro rata. */
  readonly prorate: boolean
}

interface QuoteTotalsInput {
  readonly currency: Currency
  readonly taxPercent: Decimal
  readonly lines: readonly QuoteTotalsLine[]
  readonly coupon?: CouponTerms | null
}

export interface RecurringPayment {
  readonly interval: string
  readonly intervalCount: number
  /** Pence, including VAT. A discount that ends is not deducted. */
  readonly gross: number
  /** Number of discounted periods; `undefined` if the discount doesn't end after a number of periods. */
  readonly discountedPeriods?: number
  readonly discountedGross?: number
  /** This interval's share of a coupon's amount, in pence; `undefined` without such a coupon. */
  readonly amountOff?: number
  /** The interval's part of the coupon's amount in the first payment, in pence. */
  readonly firstAmountOff?: number
}

export interface QuoteTotals extends DocumentTotals {
  readonly afterwards: readonly RecurringPayment[]
}

/** Totals without lines, as they are saved with a quote. */
export type SavedQuoteTotals = Omit<QuoteTotals, 'lines'>

const input = (
  { currency, taxPercent, coupon }: QuoteTotalsInput,
  lines: readonly QuoteTotalsLine[],
  discounted: boolean,
) => ({
  currency,
  taxPercent,
  discount: coupon && discounted ? couponDiscount(coupon) : null,
  lines: coupon ? lines.map((line) => ({ ...line, discountable: isDiscountable(line, coupon) })) : lines,
})

const isDiscountable = (line: QuoteTotalsLine, coupon: CouponTerms) =>
  line.discountable !== false && couponCoversPlan(coupon, iriOfRelation(plan, line.plan))

/** Returns the billing interval of a line, such as `month 3`; `undefined` for a one-off line. */
export const lineIntervalKey = (line: QuoteTotalsLine): string | undefined =>
  line.interval ? `${line.interval} ${line.intervalCount ?? 1}` : undefined

/**
 * Shares a coupon's amount between billing intervals, in proportion to the amounts that the coupon covers. `every`
 * applies to each later payment. `first` is the part of the first payment, which one-off lines share; an amount that is
 * too large for the first payment remains available to its plans.
 */
function shareCouponAmount(
  coupon: CouponTerms,
  lines: readonly QuoteTotalsLine[],
  first: DocumentTotals,
  groups: readonly (readonly number[])[],
) {
  const sumOf = (group: readonly number[], of: (n: number) => number) => group.reduce((sum, n) => sum + of(n), 0)
  const isCovered = (n: number) => isDiscountable(lines[n] as QuoteTotalsLine, coupon)
  const amounts = groups.map((group) => sumOf(group, (n) => (isCovered(n) ? (first.lines[n]?.amount ?? 0) : 0)))
  const weights = amounts.some((amount) => amount > 0)
    ? amounts
    : groups.map((group) => (group.some(isCovered) ? 1 : 0))
  const share = (amount: number) =>
    allocatePence(
      BigInt(amount),
      weights.map((weight) => BigInt(Math.max(0, weight))),
    ).map((part) => penceToNumber(part))
  const off = coupon.amountOff ?? 0
  const unused = share(off - first.discount)
  return share(off).map((every, i) => ({
    every,
    first: sumOf(groups[i] ?? [], (n) => first.lines[n]?.discount ?? 0) + (unused[i] ?? 0),
  }))
}

/**
 * Calculates the first and recurring payments of a quote. A coupon for a percentage applies to each later payment. A
 * fixed amount is shared between the billing intervals, not deducted once for each. Throws a MoneyError for amounts
 * that can't be totalled.
 */
export function computeQuoteTotals(quote: QuoteTotalsInput): QuoteTotals {
  const { coupon, lines } = quote
  const first = calculateTotals(input(quote, lines, true))
  const groups = groupByInterval(lines)
  const shares = coupon && coupon.percentOff === null ? shareCouponAmount(coupon, lines, first, groups) : undefined
  return {
    ...first,
    afterwards: groups.map((group, i) => {
      const own = group.map((n) => lines[n] as QuoteTotalsLine)
      const [{ interval, intervalCount }] = own as [QuoteTotalsLine]
      const share = shares?.[i]
      const terms = coupon && share ? { ...coupon, amountOff: share.every } : coupon
      const gross = (discounted: boolean) => calculateTotals(input({ ...quote, coupon: terms }, own, discounted)).gross
      const long = coupon?.duration
      return {
        interval: interval ?? '',
        intervalCount: intervalCount ?? 1,
        gross: gross(long === 'forever'),
        ...(coupon && long === 'periods'
          ? { discountedPeriods: coupon.durationPeriods ?? 1, discountedGross: gross(true) }
          : {}),
        ...(share ? { amountOff: share.every, firstAmountOff: share.first } : {}),
      }
    }),
  }
}

/** Discount of a quote as measured for the approval limit. Pence, excluding VAT. */
export interface MeasuredDiscount {
  /** Amount taken off within a year: the discounts of the lines and that of the quote. */
  readonly discount: number
  /** Price of the same payments of the discounted lines before any discount. */
  readonly subtotal: number
  /** True if a discounted line is paid more than once within a year. */
  readonly isRecurring: boolean
  /** Each discounted line's price for one payment, and the most that is taken off it. */
  readonly lines: readonly { readonly price: number; readonly off: number }[]
}

const PERIODS_IN_YEAR: Readonly<Record<string, number>> = { day: 365, week: 52, month: 12, year: 1 }

/** Returns the number of payments of a line within a year; 1 for a one-off line. */
const countPaymentsInYear = ({ interval, intervalCount }: QuoteTotalsLine): number =>
  interval ? Math.max(1, Math.floor((PERIODS_IN_YEAR[interval] ?? 1) / (intervalCount ?? 1))) : 1

/**
 * Measures the discount of a quote or subscription for its approval: over a year for recurring lines, and on the
 * discounted lines only, so that lines without a discount, and payments to which it doesn't apply, never dilute it.
 * Free time before billing starts counts at its price; up to 31 days count only by amount. Throws a MoneyError for
 * amounts that can't be totalled.
 */
export function measureDiscount({
  start,
  ...untaxed
}: Omit<QuoteTotalsInput, 'taxPercent'> & { readonly start?: BillingStart }): MeasuredDiscount {
  const quote = { ...untaxed, taxPercent: 0 }
  const { lines, coupon } = quote
  const full = calculateTotals(
    input(
      quote,
      lines.map((line) => ({ ...line, discountPercent: null })),
      false,
    ),
  )
  const first = calculateTotals(input(quote, lines, true))
  const { later, unused } = laterCouponDiscounts(quote, first)
  const each = lines.map((line, n) => {
    const price = full.lines[n]?.amount ?? 0
    const ownOff = price - (first.lines[n]?.amount ?? 0)
    const [now, then] = [first.lines[n]?.discount ?? 0, later[n] ?? 0]
    const payments = countPaymentsInYear(line)
    const freeDays = countFreeDays(line, start)
    const free = freeDays / countPeriodDays(line)
    const freeAmount = Math.round(price * free)
    const freeShare = freeDays > MAX_UNMEASURED_FREE_DAYS ? Math.min(price, freeAmount) : 0
    const covered = !now && !then ? 0 : Math.min(payments, countCouponPayments(coupon))
    return {
      price,
      off: Math.max(freeShare, ownOff + Math.max(now, then)),
      discount: freeAmount + ownOff * payments + (covered && now + then * (covered - 1)),
      before: freeAmount + price * (ownOff ? payments : covered),
      isRecurring: free + (ownOff ? payments : covered) > 1,
    }
  })
  const discounted = each.filter(({ discount }) => discount > 0)
  return {
    discount: discounted.reduce((sum, { discount }) => sum + discount, unused),
    subtotal: discounted.reduce((sum, { before }) => sum + before, 0),
    isRecurring: discounted.some((line) => line.isRecurring),
    lines: discounted,
  }
}

const DAY_MS = 86_400_000
const DAYS_IN_YEAR = 365

/**
 * Maximum number of free days, such as those until the first of a month, that count only towards the limit in pounds and not
 * towards the limit in per cent.
 */
const MAX_UNMEASURED_FREE_DAYS = 31

/** Returns the number of days before billing starts for which a recurring line is not charged. */
function countFreeDays({ interval }: QuoteTotalsLine, start: BillingStart | undefined): number {
  if (!interval || !start || start.prorate || start.billingCycleAnchor === null) return 0
  return Math.max(0, Math.floor((start.billingCycleAnchor * 1000 - Date.parse(start.today)) / DAY_MS))
}

const countPeriodDays = ({ interval, intervalCount }: QuoteTotalsLine): number =>
  (DAYS_IN_YEAR / (PERIODS_IN_YEAR[interval ?? 'year'] ?? 1)) * (intervalCount ?? 1)

const countCouponPayments = (coupon: CouponTerms | null | undefined): number =>
  coupon?.duration === 'forever'
    ? Number.POSITIVE_INFINITY
    : coupon?.duration === 'periods'
      ? (coupon.durationPeriods ?? 1)
      : 1

/**
 * Returns a coupon's discount on each line in payments after the first, and the part of a coupon's amount that is too
 * large for the first payment and is taken off later.
 */
function laterCouponDiscounts(quote: QuoteTotalsInput, first: DocumentTotals) {
  const { coupon, lines } = quote
  const later = lines.map((_, n) => (coupon?.percentOff == null ? 0 : (first.lines[n]?.discount ?? 0)))
  if (!coupon || coupon.percentOff !== null) return { later, unused: 0 }
  const groups = groupByInterval(lines)
  const shares = shareCouponAmount(coupon, lines, first, groups)
  let unused = 0
  for (const [i, group] of groups.entries()) {
    const share = shares[i]
    const terms = { ...coupon, amountOff: share?.every ?? 0 }
    const own = group.map((n) => lines[n] as QuoteTotalsLine)
    const totals = calculateTotals(input({ ...quote, coupon: terms }, own, true))
    for (const [j, n] of group.entries()) later[n] = totals.lines[j]?.discount ?? 0
    unused += (share?.first ?? 0) - group.reduce((sum, n) => sum + (first.lines[n]?.discount ?? 0), 0)
  }
  return { later, unused }
}

/** Returns the positions of recurring lines, grouped by billing interval. */
const groupByInterval = (lines: readonly QuoteTotalsLine[]): (readonly number[])[] => [
  ...Map.groupBy(
    lines.keys().filter((n) => lineIntervalKey(lines[n] as QuoteTotalsLine)),
    (n) => lineIntervalKey(lines[n] as QuoteTotalsLine),
  ).values(),
]
