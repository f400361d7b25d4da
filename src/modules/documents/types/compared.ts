import type { Values } from '#kernel/forms/visible.ts'

/** How rows of a field are identified in a three-way comparison. */
export interface RowIdentity {
  readonly row: (row: Values) => string
  /** Name shared by rows that are merged together: a hazard with its controls. By default each row is separate. */
  readonly of?: (row: Values) => string
  /** Values shared by rows that are merged together; a joining row takes them over. */
  readonly shared?: readonly string[]
}

export interface ComparisonRules {
  /** Values without meaning for people, or repeated elsewhere. */
  readonly omit?: readonly string[]
  readonly labels?: Readonly<Record<string, string>>
  /** Rows as people count them, if stored otherwise. */
  readonly rows?: (field: string, rows: readonly Values[], record: Values) => readonly Values[]
  /** Name of a row; undefined for its title or name. */
  readonly rowName?: (field: string, row: Values) => string | undefined
}
