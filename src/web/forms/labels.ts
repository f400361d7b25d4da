import { type Field, labelOf } from '#kernel/fields.ts'
import type { FormField } from '#kernel/forms/schema.ts'

const REQUIRED = ' (Required)'

/** Returns the label of an input. Required inputs are marked in words, as the specification requires. */
export const fieldInputLabel = (name: string, f: Field): string => labelOf(name, f) + (f.required ? REQUIRED : '')

/** Returns the label of a field, with “(Required)” appended if the field is required. */
export const formFieldLabel = (field: FormField): string => field.label + (field.required ? ' (Required)' : '')
