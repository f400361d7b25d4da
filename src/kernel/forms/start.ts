import { fieldsIn } from './fields-in.ts'
import type { FormSchema } from './schema.ts'
import type { Values } from './visible.ts'

/** Initial values of a form: the record's values, and defaults for fields that never had one. */
export function startValues(schema: FormSchema, record: Values = {}): Values {
  const fields = fieldsIn(schema)
  const defaults = fields.flatMap((f) =>
    f.default !== undefined && (record[f.name] ?? null) === null ? [[f.name, f.default] as const] : [],
  )
  return { ...record, ...Object.fromEntries(defaults) }
}
