import type { FormSchema } from './schema.ts'
import type { Values } from './visible.ts'

/** The values without those that only hold a place: what a template says where each document says something of its own. */
export function withoutPlaceholders(schema: FormSchema, values: Values): Values {
  const held = schema.steps.flatMap((s) =>
    s.groups.flatMap((g) =>
      g.fields.filter((f) => f.placeholder !== undefined && values[f.name] === f.placeholder).map((f) => f.name),
    ),
  )
  return held.length ? { ...values, ...Object.fromEntries(held.map((name) => [name, null])) } : values
}
