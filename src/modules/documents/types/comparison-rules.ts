import type { Values } from '#kernel/forms/visible.ts'

/** Rules that identify a field's rows in a three-way comparison. */
export interface RowIdentity {
  readonly row: (row: Values) => string
  /**
   * Returns the name shared by rows that are merged together, such as a hazard with its controls. By default, each row
   * is separate.
   */
  readonly of?: (row: Values) => string
  /**
   * Fields whose values are shared by rows that are merged together. A row that joins the others adopts their values.
   */
  readonly shared?: readonly string[]
}

export interface ComparisonRules {
  /** Fields with values that are not meaningful to people or are repeated elsewhere. */
  readonly omit?: readonly string[]
  /** Field with the author's summary of the changes, which is shown above them instead of being compared. */
  readonly summary?: string
  readonly labels?: Readonly<Record<string, string>>
  /** Returns the rows as a reader would count them, if they are stored differently. */
  readonly rows?: (field: string, rows: readonly Values[], record: Values) => readonly Values[]
  /** Returns the name of a row. If undefined, the row's title or name is used. */
  readonly rowName?: (field: string, row: Values) => string | undefined
}
