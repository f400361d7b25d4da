import type { FieldOption } from '../fields.ts'

/**
 * A form as sent by the server: steps, which contain groups, which contain fields. Some are shown only under conditions
 * (safety specification, sections 4 and 5). One renderer displays every schema. Server and browser share the pure
 * functions for visibility, problems and completion.
 */
export interface FormSchema {
  readonly title: string
  /** Pass mark, as a percentage of the points. */
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

/**
 * Kind of a field, which determines its input. `person` is a name, beside the ID of an employee if one was chosen
 * (`employeeFieldOf`). `custom` is rendered by the module that owns the form, such as the
 * hazard grid.
 */
export type FormFieldKind =
  | 'text'
  | 'person'
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

/** An option with its points. If the chosen option has no points, the question is excluded from the score. */
export interface FormFieldOption extends FieldOption {
  readonly points?: number
  /** Meaning of an option of a `select` in a custom form, set by the form's author. */
  readonly means?: 'fine' | 'defect'
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
  /** Message for a missing value, if it differs from the message for the field's kind: `Cannot be left blank`. */
  readonly message?: string
  readonly when?: readonly FormCondition[]
  /** For select, autocomplete and combobox: the options to choose from. */
  readonly options?: readonly FormFieldOption[]
  /** For remoteSelect, autocomplete, combobox and imageCards: a list from the API, requested with `retired=false`. */
  readonly source?: { readonly url: string; readonly label: string; readonly value?: string }
  /**
   * For `custom`: names of other values in the record that the input edits and saves. For `person`: name of the value
   * with the employee's ID.
   */
  readonly also?: readonly string[]
  /** For `rows`: fields of each row. */
  readonly fields?: readonly FormField[]
  /** For `rows`: label of the button that adds a row, such as `Add a contact`. */
  readonly add?: string
  /** Minimum and maximum for a number or for the number of rows, or the maximum length of text. */
  readonly min?: number
  readonly max?: number
  readonly default?: unknown
  /** Placeholder text in a template. Empty in a document copied from the template. */
  readonly placeholder?: string
  /** True for an answer that users must confirm in a copied document, such as the place, the date or the people. */
  readonly confirm?: true
  /**
   * True for a field that the document type doesn't declare, because a customised version of the form added it. Its
   * value is stored in the record's `additional` column.
   */
  readonly additional?: true
  /** True for the question whose answer is the subject of the check, such as the site or vehicle. A form has at most one. */
  readonly subject?: true
  /** Width on a wide screen, out of twelve columns; twelve by default. */
  readonly width?: 3 | 4 | 6 | 8 | 12
}

/**
 * Condition for showing a field, group or step: the watched value equals, differs from, is in or is not in the given
 * value. All conditions in a list must be met.
 */
export interface FormCondition {
  readonly watch: string
  readonly equals?: unknown
  readonly differs?: unknown
  readonly in?: readonly unknown[]
  readonly notIn?: readonly unknown[]
}
