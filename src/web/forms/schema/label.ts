import type { FormField } from '#kernel/forms/schema.ts'

/** The label of a field, with “(Required)” if it is required. */
export const formFieldLabel = (field: FormField): string => field.label + (field.required ? ' (Required)' : '')
