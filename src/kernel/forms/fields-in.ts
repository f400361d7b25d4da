import type { FormField, FormSchema } from './schema.ts'

/** Anything with steps of groups of fields: a form, or its visible part. */
interface InSteps {
  readonly steps: readonly { readonly groups: readonly { readonly fields: readonly FormField[] }[] }[]
}

/** Returns the fields of a form or its visible part, in order; without the fields inside rows. */
export const fieldsIn = ({ steps }: InSteps): readonly FormField[] =>
  steps.flatMap(({ groups }) => groups.flatMap(({ fields }) => fields))

export const fieldsByName = (schema: FormSchema): ReadonlyMap<string, FormField> =>
  new Map(fieldsIn(schema).map((f) => [f.name, f]))
