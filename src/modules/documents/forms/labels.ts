import { fieldsByName, formFieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'

/** Labels by field name where a form's label differs from the declared one. */
export function changedLabels(declared: FormSchema, schema: FormSchema): Readonly<Record<string, string>> {
  const usual = fieldsByName(declared)
  return Object.fromEntries(
    formFieldsIn(schema).flatMap(({ name, label }) =>
      usual.has(name) && usual.get(name)?.label !== label ? [[name, label] as const] : [],
    ),
  )
}
