import { choice, decimal, type Field, type Fields, flag, integer, link, text } from '#kernel/fields.ts'
import { TAX_CODE_OPTIONS, type TaxCode } from '#kernel/money/tax-codes.ts'
import { CURRENCIES } from '#kernel/money.ts'
import type { TaxTotal } from '#kernel/money-totals.ts'
import type { RecordOf, Resource, RowOf } from '#kernel/resource.ts'
import { plan, sku } from '../catalogue/plan.ts'

/** VAT on a line of any document: its type and its percentage. */
export interface LineVat {
  readonly taxCode: TaxCode | null
  readonly taxPercent: number | null
}

/** Empty VAT of a line that has no VAT of its own. The VAT of the plan, SKU or document applies instead. */
export const UNSET_LINE_VAT: LineVat = { taxCode: null, taxPercent: null }

/** Returns a line's VAT, to be copied to another line. */
export const pickLineVat = ({ taxCode = null, taxPercent = null }: Partial<LineVat>): LineVat => ({
  taxCode,
  taxPercent,
})

/** Returns a key that is the same for all lines with the same VAT. */
export const lineVatKey = ({ taxCode, taxPercent }: Partial<LineVat>): string => [taxCode, taxPercent].join()

/** Returns a line's VAT in the format used in totals by rate. */
export const toTaxTotalRate = ({ taxCode, taxPercent }: Partial<LineVat>): Pick<TaxTotal, 'code' | 'percent'> => ({
  ...(taxCode ? { code: taxCode } : {}),
  percent: taxPercent ?? 0,
})

/** Returns a line's two VAT fields with the given settings. Their values are calculated elsewhere. */
export const lineVatFields = (
  code: Pick<Field, 'editable' | 'filter' | 'label'>,
  percent: Pick<Field, 'editable' | 'min' | 'max'> = {},
) => ({
  taxCode: choice(TAX_CODE_OPTIONS, code),
  taxPercent: decimal({ ...percent, label: 'VAT %' }),
})

/** Maximum unit price in pence: ten million pounds. A higher price is a typing error. */
const MAX_UNIT_PRICE_PENCE = 1_000_000_000

/**
 * Fields of a priced line on any document. Plans and SKUs supply the price and the default text of their lines; a
 * custom line contains both.
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
