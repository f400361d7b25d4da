import { choice, decimal, type Fields, flag, integer, link, text } from '#kernel/fields.ts'
import { TAX_CODE_OPTIONS } from '#kernel/money/tax-codes.ts'
import { CURRENCIES } from '#kernel/money.ts'
import type { RecordOf, Resource, RowOf } from '#kernel/resource.ts'
import { plan, sku } from '../catalogue/plan.ts'

/** The three lists of a quote, with the type of their lines, in printing order. */
export const QUOTE_LINE_LISTS = { plans: 'plan', skus: 'sku', additionalItems: 'additional' } as const
export type QuoteLineListName = keyof typeof QUOTE_LINE_LISTS
export const QUOTE_LINE_LIST_NAMES = [
  'plans',
  'skus',
  'additionalItems',
] as const satisfies readonly QuoteLineListName[]

export type QuoteLineLists<L> = Readonly<Record<QuoteLineListName, readonly L[]>>

export const mapQuoteLineLists = <T>(make: (list: QuoteLineListName) => T): Record<QuoteLineListName, T> => ({
  plans: make('plans'),
  skus: make('skus'),
  additionalItems: make('additionalItems'),
})

/** Returns all lines in printing order. */
export const allQuoteLines = <L>(lists: QuoteLineLists<L>): L[] =>
  QUOTE_LINE_LIST_NAMES.flatMap((list) => [...lists[list]])

/** Returns the position of the nth printed line in its list, such as `plans[0]`. */
export function findQuoteLinePosition(
  lists: QuoteLineLists<unknown>,
  nth: number,
): { list: QuoteLineListName; index: number } {
  let left = nth
  for (const list of QUOTE_LINE_LIST_NAMES) {
    const { length } = lists[list]
    if (left < length) return { list, index: left }
    left -= length
  }
  return { list: 'additionalItems', index: left }
}

export interface UpcomingInvoice {
  readonly day: string
  /** Invoiced items in words, such as `Safety pack × 2, Talks`. */
  readonly words: string
  /** Pence: the amount excluding VAT, the VAT, and the amount including VAT. */
  readonly net: number
  readonly tax: number
  readonly total: number
}

/** A quote's first invoices if the quote is accepted on a given day. */
export interface UpcomingInvoices {
  readonly accepted: string
  readonly invoices: readonly UpcomingInvoice[]
}

export const UPCOMING_INVOICE_COUNT = 3

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
  /** Percentage off each payment for this line, with up to four decimal places; null for none. */
  discountPercent: decimal({ min: 0, max: 100, label: 'Discount %' }),
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
