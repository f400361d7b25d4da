import { fieldsByName, fieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'

/** What fields are called by a form, where it calls them otherwise than their kind does; by name. */
export function labelsIn(declared: FormSchema, schema: FormSchema): Readonly<Record<string, string>> {
  const usual = fieldsByName(declared)
  return Object.fromEntries(
    fieldsIn(schema).flatMap(({ name, label }) =>
      usual.has(name) && usual.get(name)?.label !== label ? [[name, label] as const] : [],
    ),
  )
}
