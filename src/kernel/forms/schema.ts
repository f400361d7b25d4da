import type { FieldOption } from '../fields.ts'

/**
 * A form as sent by the server: steps → groups → fields, some shown only under conditions (safety specification,
 * sections 4 and 5). One renderer displays every schema. Server and browser share the pure functions for visibility,
 * problems and completion.
 */
export interface FormSchema {
  readonly title: string
  /** Minimum percentage of the points to pass. */
  readonly pass?: number
  readonly steps: readonly FormStep[]
}

export interface FormStep {
  /** Step name, unique in the form; part of the step's URL. */
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

/** Kind of a field and its input. `custom` is rendered by the module that owns the form, such as the hazard grid. */
export type FormFieldKind =
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

/** An option with its points. If an option without points is chosen, its question is excluded from the score. */
export interface FormFieldOption extends FieldOption {
  readonly points?: number
}

export interface FormField {
  /** Name of the value in the record or, within `rows`, in the row. */
  readonly name: string
  readonly kind: FormFieldKind
  /** Label; required fields show " (Required)" after it. */
  readonly label: string
  /** Help text, shown in the dialog "Help for …". */
  readonly help?: string
  readonly required?: boolean
  /** Message for a missing value, if it differs from the kind's: `Cannot be left blank`. */
  readonly message?: string
  readonly when?: readonly FormCondition[]
  /** For select, autocomplete and combobox. */
  readonly options?: readonly FormFieldOption[]
  /** For remoteSelect, autocomplete, combobox and imageCards: a list of the API, requested with `retired=false`. */
  readonly source?: { readonly url: string; readonly label: string; readonly value?: string }
  /** For `custom`: other values of the record that its input edits and saves. */
  readonly also?: readonly string[]
  /** For `rows`: fields of each row. */
  readonly fields?: readonly FormField[]
  /** For `rows`: label of the button: `Add a contact`. */
  readonly add?: string
  /** Minimum and maximum of a number or of the number of rows, or maximum length of a text. */
  readonly min?: number
  readonly max?: number
  readonly default?: unknown
  /** Placeholder text of a template; empty in a copy. */
  readonly placeholder?: string
  /** Asks users to confirm this answer in a copy: place, date, people. */
  readonly confirm?: true
  /** True for a field added by a version of the form, whose value is stored in the record's `additional` column. */
  readonly additional?: true
  /** Width on a wide screen, in columns of twelve; by default all. */
  readonly width?: 3 | 4 | 6 | 8 | 12
}

/**
 * Condition to show a field, group or step: the watched value equals, differs from, is in or is not in the given value.
 * All conditions of a list must be met.
 */
export interface FormCondition {
  readonly watch: string
  readonly equals?: unknown
  readonly differs?: unknown
  readonly in?: readonly unknown[]
  readonly notIn?: readonly unknown[]
}
