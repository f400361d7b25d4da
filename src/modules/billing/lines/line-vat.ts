import { choice, decimal, type Field } from '#kernel/fields.ts'
import { TAX_CODE_OPTIONS, type TaxCode } from '#kernel/money/tax-codes.ts'
import type { TaxTotal } from '#kernel/money-totals.ts'

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
