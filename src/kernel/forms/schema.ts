import type { Option } from '../fields.ts'

/**
 * A form as sent by the server: steps → groups → fields, some shown only under conditions (safety specification,
 * sections 4 and 5). One renderer draws every schema; server and browser share the pure functions for visibility,
 * problems and completion.
 */
export interface FormSchema {
  readonly title: string
  /** Minimum percentage of the points to pass. */
  readonly pass?: number
  readonly steps: readonly FormStep[]
}

export interface FormStep {
  /** Unique in the form; part of the step's address. */
  readonly name: string
  readonly title: string
  readonly help?: string
  readonly when?: readonly FormCondition[]
  readonly groups: readonly FormGroup[]
}

export interface FormGroup {
  readonly title?: string
  readonly help?: string
  readonly when?: readonly FormCondition[]
  readonly fields: readonly FormField[]
}

/** Kind of a field and of its input. `custom` is drawn by the module that owns the form (the hazard grid). */
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

/** An option with its points; an option without points takes its question out of the score. */
export interface FormChoice extends Option {
  readonly points?: number
}

export interface FormField {
  /** Name of the value in the record or, inside `rows`, in the row. */
  readonly name: string
  readonly kind: FormKind
  /** Label; required fields show " (Required)" after it. */
  readonly label: string
  /** Opens in the dialog "Help for …". */
  readonly help?: string
  readonly required?: boolean
  /** Message for a missing value, if not the kind's own: `Cannot be left blank`. */
  readonly message?: string
  readonly when?: readonly FormCondition[]
  /** For select, autocomplete and combobox. */
  readonly options?: readonly FormChoice[]
  /** For remoteSelect, autocomplete, combobox and imageCards: a list of the API, read with `retired=false`. */
  readonly source?: { readonly url: string; readonly label: string; readonly value?: string }
  /** For `custom`: further values of the record that its input edits and saves. */
  readonly also?: readonly string[]
  /** For `rows`: fields of each row. */
  readonly fields?: readonly FormField[]
  /** For `rows`: label of the button, `Add a contact`. */
  readonly add?: string
  /** Minimum and maximum number, or number of rows; maximum length of text. */
  readonly min?: number
  readonly max?: number
  readonly default?: unknown
  /** Placeholder text of a template; empty in a copy. */
  readonly placeholder?: string
  /** A copy asks to confirm this answer: place, date, people. */
  readonly confirm?: true
  /** Not a field of the type: a version of the form has added it, and the record stores its value in `additional`. */
  readonly additional?: true
  /** Columns out of twelve on a wide screen; all by default. */
  readonly width?: 3 | 4 | 6 | 8 | 12
}

/**
 * Shows something if the watched value equals, differs from, is in or is not in the given value. All conditions of a
 * list must be met.
 */
export interface FormCondition {
  readonly watch: string
  readonly equals?: unknown
  readonly differs?: unknown
  readonly in?: readonly unknown[]
  readonly notIn?: readonly unknown[]
}
