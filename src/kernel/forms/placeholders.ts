import { fieldsIn } from './fields-in.ts'
import type { FormSchema } from './schema.ts'
import type { Values } from './visible.ts'

/** The values without those that only hold a place: what a template says where each document says something of its own. */
export function withoutPlaceholders(schema: FormSchema, values: Values): Values {
  const held = fieldsIn(schema).flatMap(({ name, placeholder }) =>
    placeholder !== undefined && values[name] === placeholder ? [name] : [],
  )
  return held.length ? { ...values, ...Object.fromEntries(held.map((name) => [name, null])) } : values
}
