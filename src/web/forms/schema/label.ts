import type { FormField } from '#kernel/forms/schema.ts'

/** Returns the label of a field, with “(Required)” appended if the field is required. */
export const formFieldLabel = (field: FormField): string => field.label + (field.required ? ' (Required)' : '')
