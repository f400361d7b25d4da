import { isDeepStrictEqual } from 'node:util'
import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'

type Given = Readonly<Record<string, unknown>>

/** What a change is told of by: from what to what, by field; of what is confidential, only that it changed. */
export type Difference = Readonly<Record<string, unknown>>

/** Are two values of a field the same to whoever reads them? The order of an object's keys is the database's own. */
export const sameValue = (a: unknown, b: unknown): boolean =>
  a === b ||
  ((a ?? null) === null && (b ?? null) === null) ||
  JSON.stringify(a) === JSON.stringify(b) ||
  (isObject(a) && isObject(b) && isDeepStrictEqual(a, b))

/** The same of two values of a field, as they are read again. */
export const sameFieldValue = (f: Pick<Field, 'kind'> | undefined, a: unknown, b: unknown): boolean =>
  f ? sameValue(readAgain(f, a), readAgain(f, b)) : sameValue(a, b)

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

/** Changes of some fields of a record. Bookkeeping that nobody sees, and secrets, are no changes to tell of. */
export function differenceOf(r: Resource, before: Given, changes: Given, names: readonly string[]): Difference {
  const told: Record<string, unknown> = {}
  for (const n of names) {
    const f = r.fields[n]
    if (f?.writeOnly || f?.visible === 'nobody') continue
    if (!f?.confidential) told[n] = [before[n] ?? null, changes[n] ?? null]
    else if (!sameValue(before[n], changes[n])) told[n] = 'confidential'
  }
  return told
}

/** Values as the audit keeps them: of what is confidential, only that it was given; of secrets nothing. */
export const auditedValues = (r: Resource, values: Given): Given =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([n]) => !r.fields[n]?.writeOnly)
      .map(([n, v]) => [n, r.fields[n]?.confidential && (v ?? null) !== null ? 'confidential' : v]),
  )

/** Two changes of a field are one: from what it was to what it is in the end. */
export const joinDifferences = (first: Difference, second: Difference): Difference => ({
  ...first,
  ...Object.fromEntries(
    Object.entries(second).map(([name, change]) => {
      const earlier = first[name]
      return Array.isArray(earlier) && Array.isArray(change) ? [name, [earlier[0], change[1]]] : [name, change]
    }),
  ),
})

/** Leaves out the fields that are in the end what they were. */
export const withoutSame = (r: Resource, changes: Difference): Difference =>
  Object.fromEntries(
    Object.entries(changes).filter(([name, change]) => {
      const field = r.fields[name]
      return !field || field.kind === 'rows' || !Array.isArray(change) || !sameFieldValue(field, change[0], change[1])
    }),
  )

/** A moment is read again to the second, however it was written, and a list that nobody has filled in as an empty one. */
function readAgain({ kind }: Pick<Field, 'kind'>, value: unknown): unknown {
  if (kind === 'strings') return value ?? []
  const at = kind === 'instant' && typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? value : Math.floor(at / 1000)
}
