/** Two words that belong together: what it is, and how much. */
export type Pair = readonly [string, string]

/**
 * A paper of money as it is read, on the screen and in print: all its words are made, and sums are written. Invoices, credit notes and
 * statements are such sheets.
 */
export interface Sheet {
  /** `VAT invoice` */
  readonly kind: string
  /** `INV-00012`; empty where it has none. */
  readonly number: string
  /** What it is not, or not any more: `Pro forma: this is not a VAT invoice`. */
  readonly warning: string
  readonly supplier: { readonly name: string; readonly lines: readonly string[] }
  readonly buyer: { readonly name: string; readonly lines: readonly string[] }
  readonly facts: readonly Pair[]
  /** The first column is words; the others are figures. */
  readonly columns: readonly string[]
  readonly rows: readonly SheetRow[]
  readonly sums: readonly Pair[]
  /** What stands larger below the sums. */
  readonly totals: readonly Pair[]
  readonly notes: readonly string[]
}

export interface SheetRow {
  readonly cells: readonly string[]
  /** In small print under the first cell. */
  readonly under: string
}
