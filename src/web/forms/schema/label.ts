import type { FormField } from '#kernel/forms/schema.ts'

/** Required fields say so in words. */
export const labelFor = (field: FormField): string => field.label + (field.required ? ' (Required)' : '')
