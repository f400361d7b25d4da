import type { FormField, FormSchema } from './schema.ts'

/** Anything with steps of groups of fields: a form, or what is shown of one. */
interface InSteps {
  readonly steps: readonly { readonly groups: readonly { readonly fields: readonly FormField[] }[] }[]
}

/** The fields of a form, or of what is shown of one, in its order; those inside of rows are their rows'. */
export const fieldsIn = ({ steps }: InSteps): readonly FormField[] =>
  steps.flatMap(({ groups }) => groups.flatMap(({ fields }) => fields))

/** The same by name. */
export const fieldsByName = (schema: FormSchema): ReadonlyMap<string, FormField> =>
  new Map(fieldsIn(schema).map((f) => [f.name, f]))
