/** Row of a list that we composed, with its confirmation in force, if any. */
export interface ComposedEntry {
  readonly id: number
  /** Everything about the row that a competent person confirms. */
  readonly wording: string
  readonly confirmedBy: string | null
  readonly confirmedAt: string | null
}

export interface ComposedList {
  readonly '@id': string
  readonly '@type': 'ComposedList'
  /** Type of the list, such as `IncidentMainFactor`. */
  readonly list: string
  readonly title: string
  readonly rows: readonly ComposedEntry[]
}

/** Response of `GET composed_references`. */
export interface ComposedReference {
  readonly '@type': 'ComposedReference'
  readonly lists: readonly ComposedList[]
}
