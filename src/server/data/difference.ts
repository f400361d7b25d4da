import { isDeepStrictEqual } from 'node:util'
import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'

type ChangeValues = Readonly<Record<string, unknown>>

/**
 * A change as the audit shows it: old and new value by field. For a confidential field, only the fact that it changed.
 */
export type RecordDiff = Readonly<Record<string, unknown>>

/**
 * True if two field values are equal, regardless of the order of an object's keys, because PostgreSQL reorders them.
 */
export const areStoredValuesEqual = (a: unknown, b: unknown): boolean =>
  a === b ||
  ((a ?? null) === null && (b ?? null) === null) ||
  JSON.stringify(a) === JSON.stringify(b) ||
  (isObject(a) && isObject(b) && isDeepStrictEqual(a, b))

/** True if two values are equal once they have been read back from the database. */
export const areFieldValuesEqual = (f: Pick<Field, 'kind'> | undefined, a: unknown, b: unknown): boolean =>
  f ? areStoredValuesEqual(asReadBack(f, a), asReadBack(f, b)) : areStoredValuesEqual(a, b)

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

/** Returns the changes to some fields of a record, without hidden bookkeeping fields and secrets. */
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
    else if (!areStoredValuesEqual(before[n], changes[n])) difference[n] = 'confidential'
  }
  return difference
}

/**
 * Returns values as the audit stores them: for confidential fields, only the fact that they were set; for secrets,
 * nothing.
 */
export const auditedValues = (r: Resource, values: ChangeValues): ChangeValues =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([n]) => !r.fields[n]?.writeOnly)
      .map(([n, v]) => [n, r.fields[n]?.confidential && (v ?? null) !== null ? 'confidential' : v]),
  )

/** Merges two successive changes to a record into one, from the first old value to the last new value. */
export const mergeDiffs = (first: RecordDiff, second: RecordDiff): RecordDiff => ({
  ...first,
  ...Object.fromEntries(
    Object.entries(second).map(([name, change]) => {
      const earlier = first[name]
      return Array.isArray(earlier) && Array.isArray(change) ? [name, [earlier[0], change[1]]] : [name, change]
    }),
  ),
})

/** Removes fields whose final value equals their original value. */
export const removeUnchangedFields = (r: Resource, changes: RecordDiff): RecordDiff =>
  Object.fromEntries(
    Object.entries(changes).filter(([name, change]) => {
      const field = r.fields[name]
      return (
        !field || field.kind === 'rows' || !Array.isArray(change) || !areFieldValuesEqual(field, change[0], change[1])
      )
    }),
  )

/**
 * Returns a value as it will be read back from the database: an instant to the second, and a missing list as an empty
 * list.
 */
function asReadBack({ kind }: Pick<Field, 'kind'>, value: unknown): unknown {
  if (kind === 'strings') return value ?? []
  const at = kind === 'instant' && typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? value : Math.floor(at / 1000)
}
