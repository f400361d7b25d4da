import { resellerCountScope } from '#kernel/can.ts'
import { problem } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import { createPackProblem } from '#kernel/packs.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { LONDON_TIME_ZONE } from '#kernel/time.ts'
import type { SqlConn } from '#server/db/db.ts'
import { comparableFieldSql, type RequestQuery } from './filters.ts'
import type { JsonFormat, RecordSerialiser, RowArray } from './json-select.ts'
import { matchingRowsCondition } from './matching-rows.ts'
import type { CountQueries, ListQuery, PageRange } from './queries.ts'
import { titlesOf } from './titles.ts'
import type { QueryCondition } from './values.ts'
import { BoundValues, prepareSql } from './values.ts'
import type { BoundQuery } from './word-search.ts'

/** Number of records in a list that have the same value; `null` stands for records without a value. */
interface ValueCount {
  /** Value in the format of the list's filter; an IRI for a relation. */
  readonly value: string | boolean | null
  readonly label: string
  readonly count: number
}

/** Maximum values in a response; if there are more, the least frequent values are left out. */
const MAX_VALUES = 100

/** Returns the fields by whose values a list can be counted. */
export const countableFields = (r: Resource): string[] =>
  Object.entries<Field>(r.fields).flatMap(([name, f]) => (f.count ? [name] : []))

/**
 * Counts a list by the values of a field, within the actor's access. The list's filters apply, except for those on this
 * field, so that each value shows how many records it would select. Throws 400 if the list can't be counted by this
 * field.
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
  if (!conditions) throw createPackProblem(actor, r.pack)
  const text = `SELECT t.${r.columns[by]} AS value, count(*) FROM ${r.table} t WHERE ${conditions.join(' AND ')} GROUP BY value ORDER BY count(*) DESC, value LIMIT ${MAX_VALUES}`
  const rows = await conn.arrays(prepareSql(text), v.list)
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
  /** The list's query. A list opened with this query shows the rows behind the figure. */
  readonly where: RequestQuery
  /** Fields to group by; a relation is grouped by its ID. */
  readonly by?: readonly string[]
  /** Date-time field by whose week the counts are grouped. */
  readonly week?: string
  /** Date-time field by whose month the counts are grouped. */
  readonly month?: string
  /** Integer field to sum. */
  readonly sum?: string
  /**
   * True to count the rows of a reseller's clients instead of readable rows, if the declaration allows it
   * (`resellerCounts`).
   */
  readonly acrossResellerClients?: true
}

/** The count and sum of a series for one group. */
export interface GroupFigure {
  readonly series: string
  /** Group values as strings, in the order of `by`; `null` for no value. */
  readonly by: readonly (string | null)[]
  /** The Monday of the week, in London. */
  readonly week: string | null
  /** The first day of the month, in London. */
  readonly month: string | null
  readonly count: number
  readonly sum: number
}

/**
 * Counts several lists within the actor's access, in one statement. `narrow` returns further conditions for a query.
 */
export async function readFigures(
  conn: SqlConn,
  actor: Actor,
  all: readonly FigureSeries[],
  narrow: (series: FigureSeries) => readonly QueryCondition[],
): Promise<GroupFigure[]> {
  const v = new BoundValues()
  const texts = all.map((series, n) => seriesText(series, n, actor, narrow(series), v))
  const rows = await conn.arrays(prepareSql(texts.join(' UNION ALL ')), v.list)
  return rows.map(([n, by, week, month, count, sum]) => ({
    series: all[Number(n)]?.name ?? '',
    by: JSON.parse(String(by)) as (string | null)[],
    week: week as string | null,
    month: month as string | null,
    count: Number(count),
    sum: Number(sum),
  }))
}

function seriesText(
  { of: r, where, by = [], week, month, sum, acrossResellerClients: resold }: FigureSeries,
  n: number,
  actor: Actor,
  extra: readonly QueryCondition[],
  v: BoundValues,
): string {
  const scope = resold ? resellerCountScope(actor, r) : undefined
  const conditions = matchingRowsCondition(r, actor, where, extra, v, scope)
  if (!conditions) throw createPackProblem(actor, r.pack)
  const firstDayOf = (span: 'week' | 'month', name: string) =>
    `date_trunc('${span}', ${comparableFieldSql(r, name)} AT TIME ZONE '${LONDON_TIME_ZONE}')::date`
  const [monday, firstOfMonth] = [week && firstDayOf('week', week), month && firstDayOf('month', month)]
  const places = by.map((name) => comparableFieldSql(r, name))
  const columns = [
    String(n),
    `json_build_array(${places.map((p) => `${p}::text`).join(', ')})::text`,
    monday ? `${monday}::text` : 'NULL::text',
    firstOfMonth ? `${firstOfMonth}::text` : 'NULL::text',
    'count(*)',
    sum ? `coalesce(sum(${comparableFieldSql(r, sum)}), 0)` : '0::numeric',
  ]
  const groups = [...places, ...(monday ? [monday] : []), ...(firstOfMonth ? [firstOfMonth] : [])]
  return `SELECT ${columns.join(', ')} FROM ${r.table} t WHERE ${conditions.join(' AND ')}${groups.length ? ` GROUP BY ${groups.join(', ')}` : ''}`
}

interface CachedTotal {
  readonly total: number
  readonly at: number
  /** Duration of the count in milliseconds. */
  readonly took: number
}

/** A total at one snapshot of the database, valid until the next transaction commits. */
interface SnapshotTotal {
  readonly total: number
  readonly snapshot: string
}

/**
 * Milliseconds for which a cached total is used. A write by this process invalidates the total immediately, unless the
 * total was slow to count.
 */
const FRESH_MS = 2000
/** Milliseconds above which a count is slow and is therefore not repeated after each write. */
const SLOW_COUNT_MS = 100
/**
 * How long a slow total is reused, as a multiple of the time that it took to count. Counting then takes at most 5 % of the time.
 */
const SLOW_REUSE_FACTOR = 20
const MAX_CACHED_TOTALS = 500

/**
 * Functions that a count may call and still be stable until the next commit, because none of them depends on the time.
 */
const STABLE_FUNCTIONS = new Set([
  'count',
  'lower',
  'coalesce',
  'nullif',
  'any',
  'exists',
  'in',
  'and',
  'or',
  'not',
  'from',
  'where',
  'select',
  'all',
])
const ASKS_THE_TIME = /\b(?:current_\w+|localtime\w*)\b/i
const isStable = (text: string) =>
  !ASKS_THE_TIME.test(text) &&
  [...text.matchAll(/(\w+)\s*\(/g)].every(([, name = '']) => STABLE_FUNCTIONS.has(name.toLowerCase()))

/**
 * Provides exact totals for lists without slowing the lists down. Totals up to ten thousand rows (a thousand in a word
 * search) are counted again after any commit. Larger totals are cached for two seconds, slow ones for longer, and the
 * previous total is returned during a recount.
 */
export class ListTotals {
  private readonly totals = new Map<string, CachedTotal>()
  private readonly snapshots = new Map<string, SnapshotTotal>()
  private readonly counting = new Map<string, Promise<number>>()
  private readonly db: SqlConn
  constructor(db: SqlConn) {
    this.db = db
  }

  of(table: string, count: CountQueries): ListTotal {
    const key = `${table} ${count.capped.query.text} ${JSON.stringify(count.capped.values)}`
    const { snapshot = null } = this.snapshots.get(key) ?? {}
    return { known: this.known(key, count), snapshot, found: (n, at) => this.total(key, count, n, at) }
  }

  private known(key: string, count: CountQueries): number | undefined {
    const known = this.totals.get(key)
    if (known && Date.now() - known.at > Math.max(FRESH_MS, SLOW_REUSE_FACTOR * known.took) && !this.counting.has(key))
      void this.exact(key, count).catch(() => this.totals.delete(key))
    return known?.total
  }

  private async total(key: string, count: CountQueries, n: number | null, snapshot: string | null): Promise<number> {
    const previous = this.snapshots.get(key)
    if (n === null && snapshot !== null && previous?.snapshot === snapshot) return previous.total
    const { query, values } = count.capped
    const [[capped] = [0]] = n === null ? await this.db.arrays(query, values) : [[n]]
    const total = Number(capped)
    if (total >= count.cap) return this.exact(key, count)
    if (n !== null && snapshot !== null && isStable(query.text)) {
      if (this.snapshots.size >= MAX_CACHED_TOTALS) this.snapshots.clear()
      this.snapshots.set(key, { total, snapshot })
    }
    return total
  }

  /** Concurrent requests for the same total share one count. */
  private exact(key: string, count: CountQueries): Promise<number> {
    const running = this.counting.get(key)
    if (running) return running
    const mine: Promise<number> = this.count(key, count, () => this.counting.get(key) === mine).finally(() => {
      if (this.counting.get(key) === mine) this.counting.delete(key)
    })
    this.counting.set(key, mine)
    return mine
  }

  private async count(key: string, { whole, cap }: CountQueries, isOfNow: () => boolean): Promise<number> {
    const began = performance.now()
    const [[n] = [0]] = await this.db.arrays(whole.query, whole.values)
    const took = performance.now() - began
    if (this.totals.size >= MAX_CACHED_TOTALS) this.totals.clear()
    if (Number(n) >= cap && (isOfNow() || took >= SLOW_COUNT_MS))
      this.totals.set(key, { total: Number(n), at: Date.now(), took })
    return Number(n)
  }

  /** Invalidates the quickly counted totals of a table after a write. Slow totals expire by time. */
  changed(table: string): void {
    const isOf = (key: string) => key.startsWith(`${table} `)
    for (const [key, { took }] of this.totals) if (isOf(key) && took < SLOW_COUNT_MS) this.totals.delete(key)
    for (const key of this.counting.keys())
      if (isOf(key) && (this.totals.get(key)?.took ?? 0) < SLOW_COUNT_MS) this.counting.delete(key)
  }
}

/** Total of one list, as far as it is known before the list is read. */
export interface ListTotal {
  /** Cached total of a large list; a recount may be in progress. */
  readonly known: number | undefined
  /** The snapshot of the previous count. */
  readonly snapshot: string | null
  /**
   * Returns the exact total, given the count up to the cap and the count's snapshot. `n` is `null` if nothing was
   * committed since the previous count, or if the total is yet to be counted.
   */
  found(n: number | null, snapshot: string | null): Promise<number>
}

/** A page of a list, as records or as their JSON text. */
export class ListPage<R extends Resource = Resource> {
  private readonly rows: readonly RowArray[]
  private readonly sending: RecordSerialiser
  /** Total of the list; `undefined` if the caller did not request it. */
  readonly total: number | undefined
  private sent: RecordOf<R>[] | undefined
  constructor(rows: readonly RowArray[], sending: RecordSerialiser, total: number | undefined) {
    this.rows = rows
    this.sending = sending
    this.total = total
  }

  get members(): readonly RecordOf<R>[] {
    this.sent ??= this.rows.map((row) => this.sending.send(row) as RecordOf<R>)
    return this.sent
  }

  get size(): number {
    return this.rows.length
  }

  text(form: JsonFormat): string {
    let text = ''
    for (const row of this.rows) text += `${text && ','}{${this.sending.text(row, form)}}`
    return `[${text}]`
  }
}

interface PageRows {
  readonly rows: readonly RowArray[]
  readonly total: number | undefined
}

/** Reads a page of a list, and its total if requested. */
export async function readListPage(
  db: SqlConn,
  q: ListQuery,
  page: PageRange,
  total: ListTotal | undefined,
): Promise<PageRows> {
  const ask = async ({ query, values }: BoundQuery): Promise<unknown[][]> =>
    page.limit > 0 ? db.arrays(query, values) : []
  if (!total) {
    const found = q.searched?.isRanked ? await ask(q.searched.found()) : undefined
    const isRanked = found && !(found[0] && Number(found[0].at(-1)) >= q.count.cap)
    return { rows: isRanked ? found : await ask(q.searched?.near?.() ?? q.page), total: undefined }
  }
  const { known } = total
  if (known !== undefined) return { rows: await ask(q.searched?.near?.() ?? q.page), total: known }
  const isLast = (rows: readonly RowArray[]) => rows.length < page.limit && (rows.length > 0 || page.offset === 0)
  if (!q.searched) {
    const { query, values } = q.counted
    const rows = await ask({ query, values: [...values, total.snapshot] })
    // A page that is not full is the last one, so its total is known without counting.
    if (isLast(rows)) return { rows, total: page.offset + rows.length }
    const last = rows.find((row) => row.at(-2) !== null || row.at(-1) !== null) ?? [null, null]
    return { rows, total: await total.found(last.at(-2) as number | null, last.at(-1) as string | null) }
  }
  const rows = await ask(q.searched.found())
  const counted = rows[0] ? Number(rows[0].at(-1)) : null
  if (counted !== null && counted < q.count.cap) return { rows, total: counted }
  if (isLast(rows)) return { rows, total: page.offset + rows.length }
  const [inOrder, all] = await Promise.all([
    counted === null ? rows : ask(q.searched.near?.() ?? q.page),
    total.found(counted, null),
  ])
  return { rows: inOrder, total: all }
}
