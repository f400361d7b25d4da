import { type Field, labelOf } from '#kernel/fields.ts'

const REQUIRED = ' (Required)'

/** Returns the label of an input. Required inputs are marked in words, as the specification requires. */
export const fieldInputLabel = (name: string, f: Field): string => labelOf(name, f) + (f.required ? REQUIRED : '')
