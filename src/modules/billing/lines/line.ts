import { choice, decimal, type Fields, flag, type Iri, integer, link, text } from '#kernel/fields.ts'
import { TAX_CODE_OPTIONS } from '#kernel/money/tax-codes.ts'
import { CURRENCIES, type Currency, type Decimal, formatMoney } from '#kernel/money.ts'
import { calculateTotals, type DocumentTotals, type TotalsLine } from '#kernel/money-totals.ts'
import { iriOf, type RecordOf, type Resource, type RowOf } from '#kernel/resource.ts'
import { type CouponTerms, couponCoversPlan, couponDiscount } from '../catalogue/coupon-rules.ts'
import { plan, sku } from '../catalogue/plan.ts'
import { QUOTE_LINE_LIST_NAMES, type QuoteLineLists } from './lines.ts'

export const QUANTITY_TOO_LOW_MESSAGE = 'The quantity must be more than 0'
/** Reason why a part quantity of a plan can't be sold: a subscription is charged in whole quantities. */
export const PART_QUANTITY_MESSAGE = 'A plan is charged in whole quantities. Please enter a whole number'

/** Returns true if the line has a plan in a part quantity. */
export const hasPartQuantityOfPlan = ({ quantity, plan }: { quantity: number | null; plan?: unknown }): boolean =>
  Boolean(plan) && quantity !== null && !Number.isInteger(quantity)

/** Returns why a line can't have its quantity; `undefined` if it can. A missing quantity is reported when saving. */
export function quantityProblem(line: { quantity: number | null; plan?: unknown }): string | undefined {
  if (line.quantity !== null && line.quantity <= 0) return QUANTITY_TOO_LOW_MESSAGE
  return hasPartQuantityOfPlan(line) ? PART_QUANTITY_MESSAGE : undefined
}

/** Maximum unit price in pence: ten million pounds. A higher price is a typing error. */
const MAX_UNIT_PRICE_PENCE = 1_000_000_000

/**
 * Fields of a priced line on any document. Plans and SKUs supply the price and the default text of their lines; a
 * custom line states both.
 */
export const pricedLineFields = {
  kind: choice(['plan', 'sku', 'additional'], { default: 'additional', filter: true }),
  plan: link(() => plan, { filter: true, embed: ['name', 'amount', 'currency', 'retired'] }),
  sku: link(() => sku, { filter: true, embed: ['name', 'amount', 'currency', 'unit', 'retired'], label: 'Item' }),
  description: text({ required: 'Please enter a description', max: 500 }),
  quantity: decimal({ required: 'Please enter the quantity', default: 1, min: 0.0001, max: 1_000_000 }),
  /** Pence, with up to four decimal places. For plans and SKUs, the server takes the price from the catalogue. */
  unitAmount: decimal({
    required: 'Please enter the unit price',
    min: 0,
    max: MAX_UNIT_PRICE_PENCE,
    pence: true,
    label: 'Unit price',
  }),
  /** Currency of the document; set by the server. */
  currency: choice(CURRENCIES),
  /** VAT rate in per cent, which overrides the document's rate. */
  taxPercent: decimal({ min: 0, max: 100, lenient: true, label: 'VAT %' }),
  /**
   * Type of VAT. For plans and SKUs, the server takes the type from the catalogue. If there is none, the type is
   * derived from the percentage.
   */
  taxCode: choice(TAX_CODE_OPTIONS, { label: 'Type of VAT' }),
  discountable: flag({ default: true, label: 'Discount applies' }),
  /** Billing interval of a plan; set by the server. */
  interval: choice(['month', 'year']),
  intervalCount: integer({ min: 1, max: 60 }),
  position: integer({ default: 0, order: true }),
} satisfies Fields

/** A line as returned by the API. */
export type PricedLineRecord = RecordOf<Resource<typeof pricedLineFields>>
/** A line as a database row, for behaviours. */
export type PricedLineRow = RowOf<Resource<typeof pricedLineFields>>

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
 * match if this value is the same.
 */
const thingOf = (l: ComparedLine) =>
  iriOfRelation(plan, l.plan) ?? iriOfRelation(sku, l.sku) ?? l.description.trim().toLowerCase()
const COMPARED = [
  'description',
  'quantity',
  'unitAmount',
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

interface QuoteTotalsInput {
  readonly currency: Currency
  readonly taxPercent: Decimal
  readonly lines: readonly QuoteTotalsLine[]
  readonly coupon?: CouponTerms | null
}

interface RecurringPayment {
  readonly interval: string
  readonly intervalCount: number
  /** Pence, including VAT. A discount that ends is not deducted. */
  readonly gross: number
  /** Number of discounted periods; `undefined` if the discount doesn't end after a number of periods. */
  readonly discountedPeriods?: number
  readonly discountedGross?: number
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

/**
 * Calculates the first and recurring payments of a quote. If a coupon outlasts the first payment, each line keeps its
 * share of the discount from that payment; a fixed amount is not deducted in full for each interval. Throws a
 * MoneyError for amounts that can't be totalled.
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
