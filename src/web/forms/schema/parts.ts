import type { ComponentType } from 'react'
import type { FormField } from '#kernel/forms/schema.ts'
import type { Path } from '../store/path.ts'
import type { FormStore } from './store.ts'

/** What a module's own input for a field is given. */
export interface CustomFieldProps {
  readonly field: FormField
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly readOnly: boolean
  readonly error: string | undefined
  /** Of the element around the input; what is wrong with a part of the value is looked for at `${id}[2].name`. */
  readonly id: string
  /** Where in the record it is: `files`, `steps[2].pictures`. */
  readonly at: string
  /** Any value of the record, as it is now. */
  readonly read: (name: string) => unknown
  /** Sets another value of the record: one that the field names in `also`. */
  readonly set: (name: string, value: unknown) => void
}

/** What a form's fields share. */
export interface FormParts {
  readonly store: FormStore
  readonly readOnly: boolean
  /** By the name of a field of kind `custom`; for any other kind it replaces the usual input. */
  readonly custom: Readonly<Record<string, ComponentType<CustomFieldProps>>>
  /** Draws fields of kind `uploads`. */
  readonly uploads: ComponentType<CustomFieldProps> | undefined
  /** Draws fields of kind `rows`; given here because it draws fields itself. */
  readonly Rows: ComponentType<FieldProps>
  /** Draws what is to be said beneath a field of the form itself, if anything. */
  readonly Note?: ComponentType<FieldProps> | undefined
  /** Begins the ids of this form's elements. */
  readonly id: string
}

export interface FieldProps {
  readonly parts: FormParts
  readonly field: FormField
  readonly path: Path
}

/** What the input of a kind of field is given. */
export interface KindProps {
  readonly store: FormStore
  readonly path: Path
  readonly field: FormField
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly readOnly: boolean
  readonly error: string | undefined
}
