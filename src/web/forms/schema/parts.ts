import type { ComponentType } from 'react'
import type { FormField } from '#kernel/forms/schema.ts'
import type { ValuePath } from '../store/path.ts'
import type { FormStore } from './store.ts'

/** Props of an input that a module supplies. */
export interface CustomFieldProps {
  readonly field: FormField
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly readOnly: boolean
  readonly error: string | undefined
  /** ID of the surrounding element. Problems inside the value have IDs such as `${id}[2].name`. */
  readonly id: string
  /** Path of the field in the record: `files`, `steps[2].pictures`. */
  readonly at: string
  /** Returns the current value of any field in the record. */
  readonly read: (name: string) => unknown
  /** Sets the value of another field, or of the same row. It must be listed in this field's `also`, or be its employee. */
  readonly set: (name: string, value: unknown) => void
}

/** Settings and components that all elements of a form share. */
export interface SchemaFormContext {
  readonly store: FormStore
  readonly readOnly: boolean
  /**
   * Inputs by field name, for fields of kind `custom`. For a field of any other kind, the input replaces the usual one.
   */
  readonly custom: Readonly<Record<string, ComponentType<CustomFieldProps>>>
  /** Component that renders fields of kind `uploads`. */
  readonly uploads: ComponentType<CustomFieldProps> | undefined
  /** Component that renders names of people, with employees to choose from; a text input by default. */
  readonly person: ComponentType<CustomFieldProps> | undefined
  /**
   * Component that renders fields of kind `rows`. It is passed in rather than imported, because it renders fields
   * itself.
   */
  readonly Rows: ComponentType<SchemaFieldProps>
  /** Component that renders a note beneath a field, if there is one. */
  readonly Note?: ComponentType<SchemaFieldProps> | undefined
  /** Prefix for the IDs of this form's elements. */
  readonly id: string
}

export interface SchemaFieldProps {
  readonly parts: SchemaFormContext
  readonly field: FormField
  readonly path: ValuePath
}

/** Props of a field's input, for every field kind. */
export interface SchemaFieldInputProps {
  readonly store: FormStore
  readonly path: ValuePath
  readonly field: FormField
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly readOnly: boolean
  readonly error: string | undefined
  readonly person: SchemaFormContext['person']
}
