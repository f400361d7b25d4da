import { problem } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import { closedPack } from '#kernel/packs.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import type { Conn } from '#server/db/db.ts'
import type { Query } from './filters.ts'
import { foundWhere } from './found.ts'
import type { Condition } from './query-values.ts'
import { titlesOf } from './titles.ts'
import { prepare, Values } from './values.ts'

/** How many records of a list have a value; `null` where they have none. */
export interface ValueCount {
  /** As the list's filter takes it; a relation's is its IRI. */
  readonly value: string | boolean | null
  readonly label: string
  readonly count: number
}

/** Values that are told of; those that fewest records have are left out. */
const MOST = 100

/** The fields that a list is counted by. */
export const countedFields = (r: Resource): string[] =>
  Object.entries<Field>(r.fields).flatMap(([name, f]) => (f.count ? [name] : []))

/**
 * Counts a list by the values of a field, as far as the actor reads it. The list's other filters hold; the field's own does
 * not, so that each value says what choosing it would find.
 */
export async function countBy(
  conn: Conn,
  r: Resource,
  actor: Actor,
  query: Query,
  by: string,
  extra: readonly Condition[] = [],
): Promise<ValueCount[]> {
  const field = r.fields[by]
  if (!field?.count) throw problem.badRequest(`"by" must be one of: ${countedFields(r).join(', ')}.`)
  const v = new Values()
  const conditions = foundWhere(r, actor, withoutFilter(query, by), extra, v)
  if (!conditions) throw closedPack(actor, r.pack)
  const text = `SELECT t.${r.columns[by]} AS value, count(*) FROM ${r.table} t WHERE ${conditions.join(' AND ')} GROUP BY value ORDER BY count(*) DESC, value LIMIT ${MOST}`
  const rows = await conn.arrays(prepare(text), v.list)
  const counts = new Map(rows.map(([value, n]) => [value as Kept, Number(n)]))
  if (field.kind === 'link') return countsOfLink(conn, actor, field, counts)
  const declared: readonly Kept[] = field.kind === 'flag' ? [true, false] : (field.options ?? []).map((o) => o.value)
  const values: Kept[] = [...declared, ...[...counts.keys()].filter((value) => !declared.includes(value))]
  return values.map((value) => ({
    value: typeof value === 'number' ? String(value) : value,
    label: labelOf(field, value),
    count: counts.get(value) ?? 0,
  }))
}

type Kept = string | number | boolean | null

/** The query without the filters of one field. */
const withoutFilter = (query: Query, name: string): Query =>
  Object.fromEntries(
    Object.entries(query).filter(([key]) => key !== `exists[${name}]` && key !== name && !key.startsWith(`${name}[`)),
  )

const NONE = 'None'

const labelOf = (f: Field, value: Kept): string =>
  value === null || value === ''
    ? NONE
    : typeof value === 'boolean'
      ? value
        ? 'Yes'
        : 'No'
      : (f.options?.find((o) => o.value === value)?.label ?? String(value))

async function countsOfLink(
  conn: Conn,
  actor: Actor,
  field: Field,
  counts: ReadonlyMap<Kept, number>,
): Promise<ValueCount[]> {
  const target = (field.target as () => Resource)()
  const ids = [...counts.keys()].flatMap((id) => (id === null ? [] : [Number(id)]))
  const titles = await titlesOf(conn, actor, target, ids)
  return [...counts].map(([id, count]) =>
    id === null
      ? { value: null, label: NONE, count }
      : { value: iriOf(target, Number(id)), label: titles.get(Number(id)) ?? String(id), count },
  )
}
