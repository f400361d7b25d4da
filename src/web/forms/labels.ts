import { type Field, labelOf } from '#kernel/fields.ts'

const REQUIRED = ' (Required)'

/** The label of an input; the specification marks what must be given with a word. */
export const labelFor = (name: string, f: Field): string => labelOf(name, f) + (f.required ? REQUIRED : '')
