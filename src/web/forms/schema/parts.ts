import type { ComponentType } from 'react'
import type { FormField } from '#kernel/forms/schema.ts'
import type { Path } from '../store/path.ts'
import type { FormStore } from './store.ts'

/** The props of a module's own input. */
export interface CustomFieldProps {
  readonly field: FormField
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly readOnly: boolean
  readonly error: string | undefined
  /** The id of the surrounding element; problems of a part of the value are looked up at `${id}[2].name`. */
  readonly id: string
  /** Where in the record it is: `files`, `steps[2].pictures`. */
  readonly at: string
  /** Any value of the record, as it is now. */
  readonly read: (name: string) => unknown
  /** Sets another value of the record, named in the field's `also`. */
  readonly set: (name: string, value: unknown) => void
}

/** The shared parts of a form. */
export interface FormParts {
  readonly store: FormStore
  readonly readOnly: boolean
  /** By the name of a field of kind `custom`; for any other kind it replaces the usual input. */
  readonly custom: Readonly<Record<string, ComponentType<CustomFieldProps>>>
  /** Draws fields of kind `uploads`. */
  readonly uploads: ComponentType<CustomFieldProps> | undefined
  /** Draws fields of kind `rows`; passed in, as it draws fields itself. */
  readonly Rows: ComponentType<FieldProps>
  /** Draws a note beneath a field, if any. */
  readonly Note?: ComponentType<FieldProps> | undefined
  /** Prefixes the ids of this form's elements. */
  readonly id: string
}

export interface FieldProps {
  readonly parts: FormParts
  readonly field: FormField
  readonly path: Path
}

/** The props of the input of a kind. */
export interface KindProps {
  readonly store: FormStore
  readonly path: Path
  readonly field: FormField
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly readOnly: boolean
  readonly error: string | undefined
}
