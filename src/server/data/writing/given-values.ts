import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { boundValue } from '../plan.ts'
import type { Values } from '../values.ts'
import { jsonText } from './stored-json.ts'

type Given = Readonly<Record<string, unknown>>

/** A name that the declaration does not know would be lost in silence. */
export function mustBeFields(r: Resource, values: Given): void {
  for (const name of Object.keys(values))
    if (!(name in r.fields)) throw new TypeError(`${r.type} has no field "${name}"`)
}

/** Values that live inside a jsonb column, by column. */
export function valuesWithin(r: Resource, values: Given): [string, Record<string, unknown>][] {
  const held = new Map<string, Record<string, unknown>>()
  for (const [name, value] of Object.entries(values)) {
    const column = r.fields[name]?.inJson
    if (!column || value === undefined) continue
    held.set(column, { ...held.get(column), [name]: value })
  }
  return [...held]
}

/** The placeholder of a field's value. */
export const bindField = (v: Values, r: Resource, name: string, value: unknown) => {
  const f = r.fields[name] as Field
  return boundValue(f, Number(v.next(toDb(f, value ?? null)).slice(1)))
}

/** The value as the drivers take it. */
const toDb = (f: Field, value: unknown): unknown =>
  f.kind === 'json' && value !== null && value !== undefined ? jsonText(value) : value
