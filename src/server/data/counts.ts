import { resellerCountScope } from '#kernel/can.ts'
import { problem } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import { packProblem } from '#kernel/packs.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { LONDON_TIME_ZONE } from '#kernel/time.ts'
import type { SqlConn } from '#server/db/db.ts'
import type { RequestQuery } from './filters.ts'
import { comparableFieldSql } from './filters.ts'
import { matchingRowsCondition } from './matching-rows.ts'
import type { QueryCondition } from './query-values.ts'
import { titlesOf } from './titles.ts'
import { BoundValues, prepare } from './values.ts'

/** Number of records in a list that have a value; `null` for records without one. */
export interface ValueCount {
  /** In the format of the list's filter; an IRI for a relation. */
  readonly value: string | boolean | null
  readonly label: string
  readonly count: number
}

/** Maximum values in a response; the least frequent ones beyond that are left out. */
const MAX_VALUES = 100

/** The fields that a list can be counted by. */
export const countableFields = (r: Resource): string[] =>
  Object.entries<Field>(r.fields).flatMap(([name, f]) => (f.count ? [name] : []))

/**
 * Counts a list by the values of a field, within the actor's access. The list's other filters apply, but not the
 * field's own, so that each value shows how many records it would select.
 */
export async function countByField(
  conn: SqlConn,
  r: Resource,
  actor: Actor,
  query: RequestQuery,
  by: string,
  extra: readonly QueryCondition[] = [],
): Promise<ValueCount[]> {
  const field = r.fields[by]
  if (!field?.count) throw problem.badRequest(`"by" must be one of: ${countableFields(r).join(', ')}.`)
  const v = new BoundValues()
  const conditions = matchingRowsCondition(r, actor, withoutFilter(query, by), extra, v)
  if (!conditions) throw packProblem(actor, r.pack)
  const text = `SELECT t.${r.columns[by]} AS value, count(*) FROM ${r.table} t WHERE ${conditions.join(' AND ')} GROUP BY value ORDER BY count(*) DESC, value LIMIT ${MAX_VALUES}`
  const rows = await conn.arrays(prepare(text), v.list)
  const counts = new Map(rows.map(([value, n]) => [value as CountedValue, Number(n)]))
  if (field.kind === 'link') return countsOfLink(conn, actor, field, counts)
  const declared: readonly CountedValue[] =
    field.kind === 'flag' ? [true, false] : (field.options ?? []).map((o) => o.value)
  const values: CountedValue[] = [...declared, ...[...counts.keys()].filter((value) => !declared.includes(value))]
  return values.map((value) => ({
    value: typeof value === 'number' ? String(value) : value,
    label: labelOf(field, value),
    count: counts.get(value) ?? 0,
  }))
}

type CountedValue = string | number | boolean | null

/** The query without the filters of one field. */
const withoutFilter = (query: RequestQuery, name: string): RequestQuery =>
  Object.fromEntries(
    Object.entries(query).filter(([key]) => key !== `exists[${name}]` && key !== name && !key.startsWith(`${name}[`)),
  )

const NO_VALUE_LABEL = 'None'

const labelOf = (f: Field, value: CountedValue): string =>
  value === null || value === ''
    ? NO_VALUE_LABEL
    : typeof value === 'boolean'
      ? value
        ? 'Yes'
        : 'No'
      : (f.options?.find((o) => o.value === value)?.label ?? String(value))

async function countsOfLink(
  conn: SqlConn,
  actor: Actor,
  field: Field,
  counts: ReadonlyMap<CountedValue, number>,
): Promise<ValueCount[]> {
  const target = (field.target as () => Resource)()
  const ids = [...counts.keys()].flatMap((id) => (id === null ? [] : [Number(id)]))
  const titles = await titlesOf(conn, actor, target, ids)
  return [...counts].map(([id, count]) =>
    id === null
      ? { value: null, label: NO_VALUE_LABEL, count }
      : { value: iriOf(target, Number(id)), label: titles.get(Number(id)) ?? String(id), count },
  )
}

/** A list that is counted or summed for a figure. */
export interface FigureSeries {
  /** Name of the series in the response. */
  readonly name: string
  readonly of: Resource
  /** The query of the list: opened with it, the list shows the rows behind the figure. */
  readonly where: RequestQuery
  /** Fields to group by: a relation counts by id. */
  readonly by?: readonly string[]
  /** Date-time field whose week the counts are grouped by. */
  readonly week?: string
  /** Integer field to sum. */
  readonly sum?: string
  /** Counts over a reseller's clients instead of readable rows, if the declaration allows it (`resellerCounts`). */
  readonly acrossResellerClients?: true
}

/** The count of a series for one group. */
export interface GroupFigure {
  readonly series: string
  /** Group values as texts, in the order of `by`; `null` for no value. */
  readonly by: readonly (string | null)[]
  /** The Monday of the week, in London. */
  readonly week: string | null
  readonly count: number
  readonly sum: number
}

/** Counts several lists within the actor's access, in one statement. `narrow` returns further conditions of a query. */
export async function readFigures(
  conn: SqlConn,
  actor: Actor,
  all: readonly FigureSeries[],
  narrow: (series: FigureSeries) => readonly QueryCondition[],
): Promise<GroupFigure[]> {
  const v = new BoundValues()
  const texts = all.map((series, n) => seriesText(series, n, actor, narrow(series), v))
  const rows = await conn.arrays(prepare(texts.join(' UNION ALL ')), v.list)
  return rows.map(([n, by, week, count, sum]) => ({
    series: all[Number(n)]?.name ?? '',
    by: JSON.parse(String(by)) as (string | null)[],
    week: week as string | null,
    count: Number(count),
    sum: Number(sum),
  }))
}

function seriesText(
  { of: r, where, by = [], week, sum, acrossResellerClients: resold }: FigureSeries,
  n: number,
  actor: Actor,
  extra: readonly QueryCondition[],
  v: BoundValues,
): string {
  const scope = resold ? resellerCountScope(actor, r) : undefined
  const conditions = matchingRowsCondition(r, actor, where, extra, v, scope)
  if (!conditions) throw packProblem(actor, r.pack)
  const monday = week && `date_trunc('week', ${comparableFieldSql(r, week)} AT TIME ZONE '${LONDON_TIME_ZONE}')::date`
  const places = by.map((name) => comparableFieldSql(r, name))
  const columns = [
    String(n),
    `json_build_array(${places.map((p) => `${p}::text`).join(', ')})::text`,
    monday ? `${monday}::text` : 'NULL::text',
    'count(*)',
    sum ? `coalesce(sum(${comparableFieldSql(r, sum)}), 0)` : '0::numeric',
  ]
  const groups = [...places, ...(monday ? [monday] : [])]
  return `SELECT ${columns.join(', ')} FROM ${r.table} t WHERE ${conditions.join(' AND ')}${groups.length ? ` GROUP BY ${groups.join(', ')}` : ''}`
}
