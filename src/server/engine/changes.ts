import type { Field } from '#kernel/fields.ts'
import { cachePerResource } from '#kernel/per-declaration.ts'
import type { Resource } from '#kernel/resource.ts'
import { removeInvisibleCharacters } from '#kernel/text.ts'
import { areStoredValuesEqual } from '#server/data/difference.ts'
import type { Row } from '#server/data/plan.ts'
import { diffRows, type RowsFieldChange } from '#server/data/rows.ts'

type Values = Record<string, unknown>

/** Changes in a save: plain fields by name, and the rows of each changed `rows` field. */
export interface RecordChanges {
  readonly values: Values
  readonly rows: readonly RowsFieldChange[]
}

export function splitValuesAndRows(
  r: Resource,
  given: Readonly<Values>,
): { values: Values; lists: Record<string, Values[]> } {
  const values: Values = {}
  const lists: Record<string, Values[]> = {}
  for (const [name, value] of Object.entries(given))
    if (r.fields[name]?.kind === 'rows') lists[name] = (value ?? []) as Values[]
    else values[name] = value
  return { values, lists }
}

/**
 * Applies the changes returned by `beforeSave`: a value replaces the field's value, `undefined` cancels the change to a
 * field, and a list for a `rows` field replaces the field's rows. Ignores values that are already stored.
 */
export function applyAmendments(
  r: Resource,
  before: Row | undefined,
  changes: RecordChanges,
  amendments: Readonly<Values>,
): RecordChanges {
  const { values, lists } = splitValuesAndRows(r, amendments)
  const merged = { ...changes.values, ...values }
  const isSo = (name: string, value: unknown) =>
    before !== undefined && name in values && !r.fields[name]?.writeOnly && areStoredValuesEqual(before[name], value)
  const changed = Object.fromEntries(
    Object.entries(merged).filter(([name, value]) => value !== undefined && !isSo(name, value)),
  )
  const amended = Object.entries(lists).map(([name, after]) =>
    diffRows(name, r.fields[name] as Field, (before?.[name] as Row[] | undefined) ?? [], after),
  )
  return {
    values: changed,
    rows: [...changes.rows.filter((c) => !(c.field in lists)), ...amended.filter((c) => c.size > 0)],
  }
}

const strippedFields = cachePerResource((r) =>
  Object.entries<Field>(r.fields).flatMap(([name, f]) => (f.stripInvisible ? [name] : [])),
)

/** Removes invisible characters from text in fields whose declaration requires it. */
export function stripInvisibleText(r: Resource, changes: RecordChanges): RecordChanges {
  const seen = strippedFields(r).flatMap((name): [string, string][] => {
    const value = changes.values[name]
    return typeof value === 'string' ? [[name, removeInvisibleCharacters(value)]] : []
  })
  return seen.length ? { ...changes, values: { ...changes.values, ...Object.fromEntries(seen) } } : changes
}
