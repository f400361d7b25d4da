import { fieldsByName, fieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'

/** Labels in a form that differ from the declared ones, by field name. */
export function changedLabels(declared: FormSchema, schema: FormSchema): Readonly<Record<string, string>> {
  const usual = fieldsByName(declared)
  return Object.fromEntries(
    fieldsIn(schema).flatMap(({ name, label }) =>
      usual.has(name) && usual.get(name)?.label !== label ? [[name, label] as const] : [],
    ),
  )
}
