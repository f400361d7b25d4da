import type { Values } from '#kernel/forms/visible.ts'

/** Identity of a field's rows in a three-way comparison. */
export interface RowIdentity {
  readonly row: (row: Values) => string
  /**
   * Name shared by rows that are merged together, such as a hazard with its controls. By default each row is separate.
   */
  readonly of?: (row: Values) => string
  /** Fields whose values are shared by rows that are merged together; a row that joins them takes over these values. */
  readonly shared?: readonly string[]
}

export interface ComparisonRules {
  /** Fields whose values are not meaningful to people or are repeated elsewhere. */
  readonly omit?: readonly string[]
  readonly labels?: Readonly<Record<string, string>>
  /** Rows as people count them, if they are stored differently. */
  readonly rows?: (field: string, rows: readonly Values[], record: Values) => readonly Values[]
  /** Name of a row; if undefined, its title or name is used. */
  readonly rowName?: (field: string, row: Values) => string | undefined
}
