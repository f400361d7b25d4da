import { choice, decimal, type Fields, flag, type Iri, integer, link, text } from '#kernel/fields.ts'
import { TAX_CODE_OPTIONS } from '#kernel/money/tax-codes.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { iriOf, type RecordOf, type Resource, type RowOf } from '#kernel/resource.ts'
import { plan, sku } from '../catalogue/plan.ts'
import { QUOTE_LINE_LIST_NAMES, type QuoteLineLists } from './lines.ts'
import type { QuoteTotalLine } from './sum.ts'

export const QUANTITY_TOO_LOW_MESSAGE = 'The quantity must be more than 0'

/** Maximum unit price in pence: ten million pounds. More is a typing error. */
const MAX_UNIT_PRICE_PENCE = 1_000_000_000

/**
 * Fields of a priced line on any document. Plans and SKUs supply their own text and price; a custom line states both.
 */
export const pricedLineFields = {
  kind: choice(['plan', 'sku', 'additional'], { default: 'additional', filter: true }),
  plan: link(() => plan, { filter: true, embed: ['name', 'amount', 'currency', 'retired'] }),
  sku: link(() => sku, { filter: true, embed: ['name', 'amount', 'currency', 'unit', 'retired'], label: 'Item' }),
  description: text({ required: 'Please enter a description', max: 500 }),
  quantity: decimal({ required: 'Please enter the quantity', default: 1, min: 0.0001, max: 1_000_000 }),
  /** Pence, with up to four decimal places. For plans and SKUs the server takes the catalogue's. */
  unitAmount: decimal({
    required: 'Please enter the unit price',
    min: 0,
    max: MAX_UNIT_PRICE_PENCE,
    pence: true,
    label: 'Unit price',
  }),
  /** The document's currency; set by the server. */
  currency: choice(CURRENCIES),
  /** Overrides the document's rate. */
  taxPercent: decimal({ min: 0, max: 100, lenient: true, label: 'VAT %' }),
  /** Type of VAT. For plans and SKUs the server takes the catalogue's; without one, it follows from the percentage. */
  taxCode: choice(TAX_CODE_OPTIONS, { label: 'Type of VAT' }),
  discountable: flag({ default: true, label: 'Discount applies' }),
  /** Billing interval of a plan; set by the server. */
  interval: choice(['month', 'year']),
  intervalCount: integer({ min: 1, max: 60 }),
  position: integer({ default: 0, order: true }),
} satisfies Fields

/** A line as returned by the API. */
export type PricedLineRecord = RecordOf<Resource<typeof pricedLineFields>>
/** A line as a row, for behaviours. */
export type PricedLineRow = RowOf<Resource<typeof pricedLineFields>>

/** A relation of a line in any form: an ID, an IRI or the record itself. */
export type LineRelationValue = number | Iri | { readonly '@id': Iri } | null | undefined

export const iriOfRelation = (r: Resource, to: LineRelationValue): Iri | undefined =>
  typeof to === 'number' ? iriOf(r, to) : typeof to === 'string' ? to : to?.['@id']

interface ComparedLine extends QuoteTotalLine {
  readonly description: string
  readonly sku?: LineRelationValue
}

export interface QuoteLineDiff<L> {
  readonly before: L | undefined
  readonly after: L | undefined
  readonly kind: 'added' | 'removed' | 'changed' | 'same'
}

/** Lines of two revisions match if they are for the same plan, SKU or description. */
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

/** Changes from one revision to the next: the lines of the newer one in order, then the removed ones. */
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
