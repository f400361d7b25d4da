import type { Values } from '#kernel/forms/visible.ts'

/** How rows of a field are told apart where three documents are compared. */
export interface Called {
  /** What a row is called. */
  readonly row: (row: Values) => string
  /** What rows are called that are taken together: a hazard with its controls. Each row alone, unless said. */
  readonly of?: (row: Values) => string
  /** What all rows that are taken together say: one that joins them says what they do. */
  readonly shared?: readonly string[]
}

/** What a kind says about its own values, where their names and shapes don't say it. */
export interface Compared {
  /** Values that mean nothing to a person, or that another one already says. */
  readonly omit?: readonly string[]
  readonly labels?: Readonly<Record<string, string>>
  /** The field's rows as a person counts them, where they are kept in another way. */
  readonly rows?: (field: string, rows: readonly Values[], record: Values) => readonly Values[]
  /** What a row of the field is called; `undefined` for its own title or name. */
  readonly rowName?: (field: string, row: Values) => string | undefined
}
