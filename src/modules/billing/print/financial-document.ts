export type LabelledValue = readonly [string, string]

/**
 * A financial document as shown on screen and in print, with all texts and amounts formatted: invoices, credit notes
 * and statements.
 */
export interface FinancialDocument {
  /** `VAT invoice` */
  readonly kind: string
  /** `INV-00012`; empty if it has none. */
  readonly number: string
  /** Warning about its status: `Pro forma: this is not a VAT invoice`. */
  readonly warning: string
  readonly supplier: { readonly name: string; readonly lines: readonly string[] }
  readonly buyer: { readonly name: string; readonly lines: readonly string[] }
  readonly facts: readonly LabelledValue[]
  /** The first column is text; the others are figures. */
  readonly columns: readonly string[]
  readonly rows: readonly FinancialDocumentRow[]
  readonly sums: readonly LabelledValue[]
  /** Shown larger below the subtotals. */
  readonly totals: readonly LabelledValue[]
  readonly notes: readonly string[]
}

export interface FinancialDocumentRow {
  readonly cells: readonly string[]
  /** Small print under the first cell. */
  readonly under: string
}
