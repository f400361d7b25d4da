import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { boundPlaceholder } from '../plan.ts'
import type { BoundValues } from '../values.ts'

type InputValues = Readonly<Record<string, unknown>>

/** Throws for an unknown field, because its value would silently be lost. */
export function requireKnownFields(r: Resource, values: InputValues): void {
  for (const name of Object.keys(values))
    if (!(name in r.fields)) throw new TypeError(`${r.type} has no field "${name}"`)
}

/** Groups the values of fields that share a jsonb column, by column. */
export function jsonColumnValues(r: Resource, values: InputValues): [string, Record<string, unknown>][] {
  const columns = new Map<string, Record<string, unknown>>()
  for (const [name, value] of Object.entries(values)) {
    const column = r.fields[name]?.inJson
    if (!column || value === undefined) continue
    columns.set(column, { ...columns.get(column), [name]: value })
  }
  return [...columns]
}

export const bindField = (v: BoundValues, r: Resource, name: string, value: unknown) => {
  const f = r.fields[name] as Field
  return boundPlaceholder(f, Number(v.next(toDb(f, value ?? null)).slice(1)))
}

const toDb = (f: Field, value: unknown): unknown =>
  f.kind === 'json' && value !== null && value !== undefined ? JSON.stringify(value) : value
