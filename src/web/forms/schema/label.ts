import type { FormField } from '#kernel/forms/schema.ts'

/** What must be given says so in words. */
export const labelFor = (field: FormField): string => field.label + (field.required ? ' (Required)' : '')
