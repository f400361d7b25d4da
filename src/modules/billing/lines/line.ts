import { choice, decimal, type Fields, flag, type Iri, integer, link, text } from '#kernel/fields.ts'
import { TAX_CODE_OPTIONS } from '#kernel/money/tax-codes.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { iriOf, type RecordOf, type Resource, type RowOf } from '#kernel/resource.ts'
import { plan, sku } from '../catalogue/plan.ts'

/** Of what nobody can be sold. */
export const TOO_FEW = 'A quantity is more than 0'

/** Pence for one: ten million pounds. More is a slip of the finger. */
const MOST = 1_000_000_000

/**
 * What a priced line says, on whatever document it stands. A plan or an SKU brings its own words and price; an additional item
 * says both itself.
 */
export const lineFields = {
  kind: choice(['plan', 'sku', 'additional'], { default: 'additional', filter: true }),
  plan: link(() => plan, { filter: true, embed: ['name', 'amount', 'currency', 'retired'] }),
  sku: link(() => sku, { filter: true, embed: ['name', 'amount', 'currency', 'unit', 'retired'], label: 'Item' }),
  description: text({ required: 'Please say what this line is for', max: 500 }),
  quantity: decimal({ required: 'Please enter the quantity', default: 1, min: 0.0001, max: 1_000_000 }),
  /** Pence, with up to four places. For plans and SKUs the server takes the catalogue's. */
  unitAmount: decimal({ required: 'Please enter the price of one', min: 0, max: MOST, pence: true, label: 'Price' }),
  /** The document's own; the server fills it in. */
  currency: choice(CURRENCIES),
  /** Instead of the document's own rate. */
  taxPercent: decimal({ min: 0, max: 100, lenient: true, label: 'VAT %' }),
  /** Why its VAT is what it is. For plans and SKUs the server takes the catalogue's; without one, the percentage says it. */
  taxCode: choice(TAX_CODE_OPTIONS, { label: 'Kind of VAT' }),
  discountable: flag({ default: true, label: 'The discount applies' }),
  /** What a plan is paid by: the server takes the plan's. */
  interval: choice(['month', 'year']),
  intervalCount: integer({ min: 1, max: 60 }),
  position: integer({ default: 0, order: true }),
} satisfies Fields

/** A line as the API sends it. */
export type LineRecord = RecordOf<Resource<typeof lineFields>>
/** A line as behaviour works on it. */
export type LineRow = RowOf<Resource<typeof lineFields>>

/** A relation of a line, however it is written: an id, an IRI, or the record itself. */
export type Relation = number | Iri | { readonly '@id': Iri } | null | undefined

/** Where a relation leads. */
export const iriOfRelation = (r: Resource, to: Relation): Iri | undefined =>
  typeof to === 'number' ? iriOf(r, to) : typeof to === 'string' ? to : to?.['@id']
