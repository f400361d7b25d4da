import { accessScopeFor } from '#kernel/can.ts'
import { cachePerDeclaration, cachePerResource } from '#kernel/per-declaration.ts'
import type { AccessVerb, Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { buildAccessConditions, buildCombinedAccessCondition } from './access-sql.ts'
import { contentSearch, parseFilters, type RequestQuery } from './filters.ts'
import { type LockingQuery, lockingQuery } from './locking.ts'
import { orderByTerms, rankTerms } from './order.ts'
import { hasTenantColumn, type SelectPlan, selectPlanFor } from './plan.ts'
import type { QueryCondition } from './values.ts'
import { BoundValues, prepareSql } from './values.ts'
import {
  type BoundQuery,
  buildAllMatchesQuery,
  buildNearestMatchesQuery,
  joinSelects,
  keyColumnsOf,
  RANKED_COUNT_LIMIT,
  SEARCH_COUNT_LIMIT,
} from './word-search.ts'

export interface PageRange {
  readonly limit: number
  readonly offset: number
}

/** Queries that count the rows of a list, up to the cap or in full. */
export interface CountQueries {
  readonly cap: number
  readonly capped: BoundQuery
  readonly whole: BoundQuery
}
export interface ListQuery {
  readonly page: BoundQuery
  readonly count: CountQueries
  /**
   * Selects the page and, in two more columns of its last row, the count and the count's snapshot. Only a full page has
   * the two values, because a shorter page already gives the total. The last bound value is the snapshot of the
   * previous count; if the snapshot is unchanged, nothing is counted.
   */
  readonly counted: BoundQuery
  /** Separate queries for a word search, because the frequency of a word is only known from the rows found. */
  readonly searched?: {
    /**
     * Selects the page and, in one more column, the count up to the cap. If the count reaches the cap, the page is
     * empty.
     */
    readonly found: () => BoundQuery
    /** True if the page of `found` is in another order than other pages, namely by rank. */
    readonly isRanked: boolean
    /** Selects the page if many rows contain the words; `undefined` for a page far down the list. */
    readonly near?: () => BoundQuery
  }
}

/** Offset from which the keys of a page are selected first, so that skipped rows are not joined. */
const DEEP_OFFSET = 300
/** Number up to which totals are counted immediately; larger totals are cached (see `totals.ts`). */
const COUNT_CAP = 10_001
/**
 * SQL for the database snapshot. The same text means the same rows, because every commit changes it. NULL in a
 * transaction that has written.
 */
const SNAPSHOT_SQL = 'CASE WHEN pg_current_xact_id_if_assigned() IS NULL THEN pg_current_snapshot()::text END'

/** Maximum cached lists for all actors together. */
const MAX_CACHED_LISTS = 500
const newLists = () =>
  cachePerDeclaration<Actor, (r: Resource) => Map<string, ListQuery>>(() => cachePerResource(() => new Map()))
/** Lists compiled once per actor, because tabs and pages repeat the same list. Searches are seldom repeated. */
let listsOf = newLists()
let cachedList = 0

function cacheList(lists: Map<string, ListQuery>, key: string, list: ListQuery): void {
  if (++cachedList > MAX_CACHED_LISTS) {
    cachedList = 0
    listsOf = newLists()
  } else lists.set(key, list)
}

/**
 * Returns the statements of a list: the page, the count up to the cap, and both combined. Returns `undefined` if the
 * actor may not read the list. `extra`: further conditions of the route.
 */
export function listQuery(
  r: Resource,
  actor: Actor | undefined,
  query: RequestQuery,
  page: PageRange,
  extra: readonly QueryCondition[] = [],
): ListQuery | undefined {
  if (!actor || extra.length) return makeList(r, actor, query, page, extra)
  const lists = listsOf(actor)(r)
  const key = `${page.limit} ${page.offset} ${JSON.stringify(query)}`
  const known = lists.get(key)
  if (known) return known
  const made = makeList(r, actor, query, page, extra)
  if (made && !made.searched) cacheList(lists, key, made)
  return made
}

function makeList(
  r: Resource,
  actor: Actor | undefined,
  query: RequestQuery,
  page: PageRange,
  extra: readonly QueryCondition[],
): ListQuery | undefined {
  const v = new BoundValues()
  // The client's own rows and the templates are each read in index order, so that at most one page of each is read.
  const access = buildAccessConditions(r, accessScopeFor(actor, 'read', r), actor, v)
  if (access === undefined) return undefined
  const filters = [...parseFilters(r, actor, query), ...extra]
  const searches = filters.filter((c) => c.isSearch)
  const plain = filters.flatMap((c) => (c.isSearch ? [] : [c.sql(v.next)]))
  const conditions = [...plain, ...searches.map((c) => c.sql(v.next))]
  const matches = access.map((one) => `FROM ${r.table} t WHERE ${[one, ...conditions].join(' AND ')}`)
  const countTo = (limit: string) =>
    `SELECT count(*) FROM (${joinSelects(matches.map((f) => `SELECT 1 ${f}${limit}`))}) c`
  const content = contentSearch(r, query)
  const cap = content ? RANKED_COUNT_LIMIT : searches.length ? SEARCH_COUNT_LIMIT : COUNT_CAP
  const capped = countTo(` LIMIT ${cap}`)
  const counted = [...v.list]
  const first = filters.flatMap((c) => (c.first ? [`(${c.first(v.next)}) DESC`] : []))
  const terms = [...first, ...orderByTerms(r, actor, query, v)]
  const order = terms.join(', ')
  const plan = selectPlanFor(r, actor, true)
  const select = content
    ? plan.searchSelect(
        () => `${v.next(content.text)}::text`,
        () => `${v.next(actor?.clientId ?? null)}::int`,
      )
    : plan.select
  // The page size is part of the SQL text. If it were a bound value, the planner would have to guess the number of
  // rows.
  const size = Math.trunc(page.limit)
  const offset = page.offset ? `${v.next(page.offset)}::int` : ''
  const limit = `LIMIT ${size}${offset && ` OFFSET ${offset}`}`
  // The page is limited before any join. Far down the list only keys are selected, so that skipped rows are not joined.
  const key = keyColumnsOf(r)
  const most = `ORDER BY ${order} LIMIT ${size}${offset && ` + ${offset}`}`
  const all =
    matches.length === 1 ? matches[0] : `FROM (${joinSelects(matches.map((f) => `SELECT t.* ${f} ${most}`))}) t`
  const cut = (columns: string) => `SELECT ${columns} ${all} ORDER BY ${order} ${limit}`
  const isDeep = page.offset >= DEEP_OFFSET
  const from = isDeep
    ? `FROM (${cut(key.replace(/(\w+)/g, 't.$1'))}) k JOIN ${r.table} t USING (${key})${plan.joins} ORDER BY ${order}`
    : `FROM (${cut('t.*')}) t${plan.joins} ORDER BY ${order}`
  const onLast = (value: string) => `CASE row_number() OVER () WHEN ${size} THEN ${value} END`
  const last = `${onLast(`CASE ${SNAPSHOT_SQL} WHEN $${v.list.length + 1}::text THEN NULL ELSE (${capped}) END`)}, ${onLast(SNAPSHOT_SQL)}`
  const search = {
    r,
    select,
    joins: plan.joins,
    cap,
    ranking: rankedOrder(r, query, first, terms, v),
    access,
    plain,
    searches,
    matches,
    terms,
    limit,
    size,
    values: v.list,
    page: cut('t.*'),
  }
  return {
    page: { query: prepareSql(`SELECT ${select} ${from}`), values: v.list },
    count: {
      cap,
      capped: { query: prepareSql(capped), values: counted },
      whole: { query: prepareSql(countTo('')), values: counted },
    },
    counted: { query: prepareSql(`SELECT ${select}, ${last} ${from}`), values: v.list },
    ...(searches.length
      ? {
          searched: {
            found: () => buildAllMatchesQuery(search),
            isRanked: content !== undefined,
            ...(isDeep ? {} : { near: () => buildNearestMatchesQuery(search) }),
          },
        }
      : {}),
  }
}

/** Returns the terms of a list with the rank of a search after `first`, and the values to bind with them. */
function rankedOrder(
  r: Resource,
  query: RequestQuery,
  first: readonly string[],
  terms: readonly string[],
  { list }: BoundValues,
) {
  const v = new BoundValues()
  v.list.push(...list)
  return { terms: [...first, ...rankTerms(r, query, v), ...terms.slice(first.length)], values: v.list }
}

interface OneOptions {
  readonly verb: AccessVerb
  /** True to lock the record until the transaction ends. */
  readonly lock: boolean
  /**
   * True to include fields that the actor may not see: for module code, and if the row's values determine who may see a
   * field.
   */
  readonly everything: boolean
}

/** Statement for one record; its last bound value is the ID. */
interface OneQuery extends LockingQuery {
  readonly values: readonly unknown[]
  readonly plan: SelectPlan
}

/** Statements compiled once per actor, because the same statement serves every record. */
const statementsOf = cachePerDeclaration<Actor, (r: Resource) => Map<string, OneQuery | undefined>>(() =>
  cachePerResource(() => new Map()),
)

/** Returns the query for one record by ID, within the actor's access; `undefined` if the actor may read no records. */
export function recordByIdQuery(
  r: Resource,
  actor: Actor | undefined,
  verb: AccessVerb,
  id: number,
  { lock = false, everything = false } = {},
): OneQuery | undefined {
  const options = { verb, lock, everything }
  const known = actor && statementsOf(actor)(r)
  const key = `${verb} ${lock} ${everything}`
  const one = known?.has(key) ? known.get(key) : oneStatement(r, actor, options)
  known?.set(key, one)
  return one && { ...one, values: [...one.values, id] }
}

function oneStatement(
  r: Resource,
  actor: Actor | undefined,
  { verb, lock, everything }: OneOptions,
): OneQuery | undefined {
  const v = new BoundValues()
  const seen = accessScopeFor(actor, verb, r)
  // Rows are locked in order to be changed, so readable rows of other owners are excluded.
  const scope =
    lock && (seen.tenants === 'own or template' || seen.tenants === 'resold')
      ? { ...seen, tenants: 'own' as const }
      : seen
  const tenant = buildCombinedAccessCondition(r, scope, actor, v)
  if (tenant === undefined) return undefined
  const plan = selectPlanFor(r, everything ? undefined : actor)
  // Uses the primary key even across tenants. The key starts with the tenant, so this is an index lookup per client
  // instead of a scan.
  const reach =
    scope.tenants === 'all' && hasTenantColumn(r) ? `${tenant} AND t.client_id IN (SELECT id FROM client)` : tenant
  const id = `$${v.list.length + 1}::bigint`
  const from = (joins: string) => `FROM ${r.table} t${joins} WHERE ${reach} AND t.id = ${id}`
  if (!lock) return { query: prepareSql(`SELECT ${plan.select} ${from(plan.joins)}`), values: v.list, plan }
  return { ...lockingQuery(r, plan, from, 'FOR UPDATE OF t'), values: v.list, plan }
}
