import { type Field, labelOf } from '#kernel/fields.ts'

const REQUIRED = ' (Required)'

/** The label of an input. The specification marks required inputs in words. */
export const fieldInputLabel = (name: string, f: Field): string => labelOf(name, f) + (f.required ? REQUIRED : '')
