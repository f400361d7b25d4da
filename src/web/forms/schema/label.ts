import type { FormField } from '#kernel/forms/schema.ts'

/** The label of a field, marked in words where it is required. */
export const formFieldLabel = (field: FormField): string => field.label + (field.required ? ' (Required)' : '')
