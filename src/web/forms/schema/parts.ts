import type { ComponentType } from 'react'
import type { FormField } from '#kernel/forms/schema.ts'
import type { ValuePath } from '../store/path.ts'
import type { FormStore } from './store.ts'

/** Props of an input supplied by a module. */
export interface CustomFieldProps {
  readonly field: FormField
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly readOnly: boolean
  readonly error: string | undefined
  /** The id of the surrounding element; problems inside the value are found at `${id}[2].name`. */
  readonly id: string
  /** The path in the record: `files`, `steps[2].pictures`. */
  readonly at: string
  /** The current value of any field of the record. */
  readonly read: (name: string) => unknown
  /** Sets the value of another field, named in the field's `also`. */
  readonly set: (name: string, value: unknown) => void
}

/** The shared settings and components of a form. */
export interface SchemaFormContext {
  readonly store: FormStore
  readonly readOnly: boolean
  /** Inputs by field name, for fields of kind `custom`; for any other kind they replace the usual input. */
  readonly custom: Readonly<Record<string, ComponentType<CustomFieldProps>>>
  /** Renders fields of kind `uploads`. */
  readonly uploads: ComponentType<CustomFieldProps> | undefined
  /** Renders fields of kind `rows`; passed in, because it renders fields itself. */
  readonly Rows: ComponentType<SchemaFieldProps>
  /** Renders a note beneath a field, if any. */
  readonly Note?: ComponentType<SchemaFieldProps> | undefined
  /** Prefixes the ids of this form's elements. */
  readonly id: string
}

export interface SchemaFieldProps {
  readonly parts: SchemaFormContext
  readonly field: FormField
  readonly path: ValuePath
}

/** Props of the input of a field, for every kind. */
export interface SchemaFieldInputProps {
  readonly store: FormStore
  readonly path: ValuePath
  readonly field: FormField
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly readOnly: boolean
  readonly error: string | undefined
}
