export type LabelledValue = readonly [string, string]

/** An invoice, credit note or statement as shown on screen and in print, with all text and amounts formatted. */
export interface FinancialDocument {
  /** Title of the document, such as `VAT invoice`. */
  readonly kind: string
  /** Number of the document, such as `INV-00012`; empty if the document has none. */
  readonly number: string
  /** Warning about the document's status, such as `Pro forma: this is not a VAT invoice`. */
  readonly warning: string
  readonly supplier: { readonly name: string; readonly lines: readonly string[] }
  readonly buyer: { readonly name: string; readonly lines: readonly string[] }
  readonly facts: readonly LabelledValue[]
  /** True if the rows are shown on screen in the same columns as in print. */
  readonly isTable?: true
  /** Column headings. The first column contains text; the others contain figures. */
  readonly columns: readonly string[]
  readonly rows: readonly FinancialDocumentRow[]
  readonly sums: readonly LabelledValue[]
  /** Totals, shown in larger type below the subtotals. */
  readonly totals: readonly LabelledValue[]
  readonly notes: readonly string[]
  /** Link to the payment page, in print only. A document with a link is not cached, because the link is a secret. */
  readonly payment?: { readonly url: string; readonly qr: { readonly base64: string; readonly alt: string } }
}

export interface FinancialDocumentRow {
  readonly cells: readonly string[]
  /** Small text below the row's first cell. */
  readonly under: string
}
