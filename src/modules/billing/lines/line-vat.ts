import { choice, decimal, type Field } from '#kernel/fields.ts'
import { TAX_CODE_OPTIONS, type TaxCode } from '#kernel/money/tax-codes.ts'
import type { TaxTotal } from '#kernel/money-totals.ts'

/** VAT of a line on any document: its type and its percentage. */
export interface LineVat {
  readonly taxCode: TaxCode | null
  readonly taxPercent: number | null
}

/** A line without its own VAT: it follows its article or document. */
export const UNSET_LINE_VAT: LineVat = { taxCode: null, taxPercent: null }

/** VAT of a line, to copy to another one. */
export const lineVatOf = ({ taxCode = null, taxPercent = null }: Partial<LineVat>): LineVat => ({ taxCode, taxPercent })

/** The same text for lines with the same VAT. */
export const lineVatKey = ({ taxCode, taxPercent }: Partial<LineVat>): string => [taxCode, taxPercent].join()

/** VAT of a line as totals by rate state it. */
export const toTaxTotalRate = ({ taxCode, taxPercent }: Partial<LineVat>): Pick<TaxTotal, 'code' | 'percent'> => ({
  ...(taxCode ? { code: taxCode } : {}),
  percent: taxPercent ?? 0,
})

/** Fields for a line's VAT that was worked out elsewhere, each with its settings. */
export const lineVatFields = (
  code: Pick<Field, 'editable' | 'filter' | 'label'>,
  percent: Pick<Field, 'editable' | 'min' | 'max'> = {},
) => ({
  taxCode: choice(TAX_CODE_OPTIONS, code),
  taxPercent: decimal({ ...percent, label: 'VAT %' }),
})
