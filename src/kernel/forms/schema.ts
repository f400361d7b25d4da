import type { Option } from '../fields.ts'

/**
 * A form as the server sends it: steps → groups → fields, some shown only under conditions (safety specification, sections
 * 4 and 5). One renderer draws every schema; the same pure functions say on both sides what is visible, wrong and complete.
 */
export interface FormSchema {
  readonly title: string
  /** Percent of the points from which on it is passed. */
  readonly pass?: number
  readonly steps: readonly FormStep[]
}

export interface FormStep {
  /** Unique in the form; part of the address of the step. */
  readonly name: string
  readonly title: string
  readonly help?: string
  readonly when?: readonly Condition[]
  readonly groups: readonly FormGroup[]
}

export interface FormGroup {
  readonly title?: string
  readonly help?: string
  readonly when?: readonly Condition[]
  readonly fields: readonly FormField[]
}

/** What a field is and how it is filled in. `custom` is drawn by the module that owns the form (the hazard grid). */
export type FormKind =
  | 'text'
  | 'longText'
  | 'number'
  | 'date'
  | 'dateTime'
  | 'select'
  | 'remoteSelect'
  | 'autocomplete'
  | 'combobox'
  | 'checkbox'
  | 'switch'
  | 'richText'
  | 'imageCards'
  | 'emergencyContacts'
  | 'uploads'
  | 'signature'
  | 'rows'
  | 'custom'

/** What can be chosen, and what it counts; a choice without points leaves its question out of the score. */
export interface Choice extends Option {
  readonly points?: number
}

export interface FormField {
  /** The value's name on the record; inside `rows`, within the row. */
  readonly name: string
  readonly kind: FormKind
  /** Required text shows " (Required)" after it. */
  readonly label: string
  /** Opens in the dialog "Help for …". */
  readonly help?: string
  readonly required?: boolean
  /** The sentence for a missing value where it isn't the kind's own: `Cannot be left blank`. */
  readonly message?: string
  readonly when?: readonly Condition[]
  /** For select, autocomplete and combobox. */
  readonly options?: readonly Choice[]
  /** For remoteSelect, autocomplete, combobox and imageCards: a list of the API, read with `retired=false`. */
  readonly source?: { readonly url: string; readonly label: string; readonly value?: string }
  /** For `custom`: further values of the record that its input keeps, and that are saved with it. */
  readonly also?: readonly string[]
  /** For `rows`: what each row holds. */
  readonly fields?: readonly FormField[]
  /** For `rows`: the button's words, `Add a contact`. */
  readonly add?: string
  /** Smallest and largest number, or number of rows; longest text. */
  readonly min?: number
  readonly max?: number
  readonly default?: unknown
  /** What a template says here, and no other document: in a copy it is empty. */
  readonly placeholder?: string
  /** A copy asks whether what it says here still holds: of place, day and people. */
  readonly confirm?: true
  /** No field of the kind's own: a version of the form has added it, and the record keeps its value in `additional`. */
  readonly additional?: true
  /** Of twelve columns on a wide screen; all of them unless said. */
  readonly width?: 3 | 4 | 6 | 8 | 12
}

/** Shown when the watched value equals, differs from, is in or is not in what is given. All of a list must hold. */
export interface Condition {
  readonly watch: string
  readonly equals?: unknown
  readonly differs?: unknown
  readonly in?: readonly unknown[]
  readonly notIn?: readonly unknown[]
}
