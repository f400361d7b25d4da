import { isDeepStrictEqual } from 'node:util'
import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'

type ChangeValues = Readonly<Record<string, unknown>>

/** A change as the audit shows it: old and new value by field. For confidential fields, only that they changed. */
export type RecordDiff = Readonly<Record<string, unknown>>

/** True if two field values are equal to readers. PostgreSQL reorders an object's keys. */
export const isEqualStoredValue = (a: unknown, b: unknown): boolean =>
  a === b ||
  ((a ?? null) === null && (b ?? null) === null) ||
  JSON.stringify(a) === JSON.stringify(b) ||
  (isObject(a) && isObject(b) && isDeepStrictEqual(a, b))

/** Compares two values as they will be read back from the database. */
export const isEqualFieldValue = (f: Pick<Field, 'kind'> | undefined, a: unknown, b: unknown): boolean =>
  f ? isEqualStoredValue(asReadBack(f, a), asReadBack(f, b)) : isEqualStoredValue(a, b)

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

/** Changes of some fields of a record, without hidden bookkeeping and secrets. */
export function diffRecord(
  r: Resource,
  before: ChangeValues,
  changes: ChangeValues,
  names: readonly string[],
): RecordDiff {
  const difference: Record<string, unknown> = {}
  for (const n of names) {
    const f = r.fields[n]
    if (f?.writeOnly || f?.visible === 'nobody') continue
    if (!f?.confidential) difference[n] = [before[n] ?? null, changes[n] ?? null]
    else if (!isEqualStoredValue(before[n], changes[n])) difference[n] = 'confidential'
  }
  return difference
}

/** Values as the audit stores them: for confidential fields, only that they were set; secrets never. */
export const auditedValues = (r: Resource, values: ChangeValues): ChangeValues =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([n]) => !r.fields[n]?.writeOnly)
      .map(([n, v]) => [n, r.fields[n]?.confidential && (v ?? null) !== null ? 'confidential' : v]),
  )

/** Merges two successive changes of a record: from the first old value to the last new one. */
export const mergeDiffs = (first: RecordDiff, second: RecordDiff): RecordDiff => ({
  ...first,
  ...Object.fromEntries(
    Object.entries(second).map(([name, change]) => {
      const earlier = first[name]
      return Array.isArray(earlier) && Array.isArray(change) ? [name, [earlier[0], change[1]]] : [name, change]
    }),
  ),
})

/** Removes fields whose final value equals the first. */
export const removeUnchangedFields = (r: Resource, changes: RecordDiff): RecordDiff =>
  Object.fromEntries(
    Object.entries(changes).filter(([name, change]) => {
      const field = r.fields[name]
      return (
        !field || field.kind === 'rows' || !Array.isArray(change) || !isEqualFieldValue(field, change[0], change[1])
      )
    }),
  )

/** Instants are read back to the second, and missing lists as empty ones. */
function asReadBack({ kind }: Pick<Field, 'kind'>, value: unknown): unknown {
  if (kind === 'strings') return value ?? []
  const at = kind === 'instant' && typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? value : Math.floor(at / 1000)
}
