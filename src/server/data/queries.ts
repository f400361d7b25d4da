import { scopeOf } from '#kernel/can.ts'
import { cachePerDeclaration, cachePerResource } from '#kernel/per-declaration.ts'
import type { Resource, Verb } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { accessCondition, accessConditions } from './access-sql.ts'
import { type Query, readFilters } from './filters.ts'
import { orderTerms } from './order.ts'
import { namesTenant, type SelectPlan, selectPlanFor } from './plan.ts'
import type { Condition } from './query-values.ts'
import { prepare, Values } from './values.ts'
import { lockFirstText } from './where.ts'
import {
  type BoundQuery,
  joinFragments,
  keyOf,
  SEARCH_COUNT_LIMIT,
  searchAllQuery,
  searchNearestQuery,
} from './word-search.ts'

export interface Page {
  readonly limit: number
  readonly offset: number
}

/** The counts of a list: up to the cap, and in full. */
export interface Count {
  readonly cap: number
  readonly capped: BoundQuery
  readonly whole: BoundQuery
}
export interface ListQuery {
  readonly page: BoundQuery
  readonly count: Count
  /**
   * The page and, in two more columns of its last row, the count and its snapshot: only a full page has them, as any other is its own
   * count. The last value is the snapshot of the previous count; where it is unchanged, there is no count.
   */
  readonly counted: BoundQuery
  /** For a search by words: their frequency is only known from the rows found. */
  readonly searched?: {
    /** The page and, in one more column, the count up to the cap. Where it reaches the cap, the page is empty. */
    readonly found: () => BoundQuery
    /** The page where many rows have the words; none far down the list. */
    readonly near?: () => BoundQuery
  }
}

/** From this offset on, a page is found by its ids first, so that skipped rows are not carried along. */
const DEEP_OFFSET = 300
/** Totals are counted to here at once; larger ones are cached (see `totals.ts`). */
const COUNT_CAP = 10_001
/**
 * The database snapshot: the same text means the same rows, as any commit changes it. NULL in a transaction that has written something
 * itself.
 */
const SNAPSHOT_SQL = 'CASE WHEN pg_current_xact_id_if_assigned() IS NULL THEN pg_current_snapshot()::text END'

/** Cached lists of all actors together. */
const MAX_CACHED_LISTS = 500
const newLists = () =>
  cachePerDeclaration<Actor, (r: Resource) => Map<string, ListQuery>>(() => cachePerResource(() => new Map()))
/** Compiled once for each actor, who asks again for tabs and pages. Searches are seldom repeated. */
let listsOf = newLists()
let cachedList = 0

function cacheList(lists: Map<string, ListQuery>, key: string, list: ListQuery): void {
  if (++cachedList > MAX_CACHED_LISTS) {
    cachedList = 0
    listsOf = newLists()
  } else lists.set(key, list)
}

/** The statements of a list: a page, the count up to the cap, and both at once. `extra` are conditions of a route's own. */
export function listQuery(
  r: Resource,
  actor: Actor | undefined,
  query: Query,
  page: Page,
  extra: readonly Condition[] = [],
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
  query: Query,
  page: Page,
  extra: readonly Condition[],
): ListQuery | undefined {
  const v = new Values()
  // The client's own rows and the templates are each read in the order of their index, so that a page reads a page of either and not the
  // whole of both.
  const access = accessConditions(r, scopeOf(actor, 'read', r), actor, v)
  if (access === undefined) return undefined
  const filters = [...readFilters(r, actor, query), ...extra]
  const searches = filters.filter((c) => c.isSearch)
  const plain = filters.flatMap((c) => (c.isSearch ? [] : [c.sql(v.next)]))
  const conditions = [...plain, ...searches.map((c) => c.sql(v.next))]
  const matches = access.map((one) => `FROM ${r.table} t WHERE ${[one, ...conditions].join(' AND ')}`)
  const countTo = (limit: string) =>
    `SELECT count(*) FROM (${joinFragments(matches.map((f) => `SELECT 1 ${f}${limit}`))}) c`
  const cap = searches.length ? SEARCH_COUNT_LIMIT : COUNT_CAP
  const capped = countTo(` LIMIT ${cap}`)
  const counted = [...v.list]
  const first = filters.flatMap((c) => (c.first ? [`(${c.first(v.next)}) DESC`] : []))
  const terms = [...first, ...orderTerms(r, actor, query, v)]
  const order = terms.join(', ')
  const plan = selectPlanFor(r, actor, true)
  // The page's size is part of the text: for a bound one, the planner would have to guess the number of rows.
  const size = Math.trunc(page.limit)
  const offset = page.offset ? `${v.next(page.offset)}::int` : ''
  const limit = `LIMIT ${size}${offset && ` OFFSET ${offset}`}`
  // The page is cut before any join. Far down the list only its keys are, so that skipped rows aren't carried along.
  const key = keyOf(r)
  const most = `ORDER BY ${order} LIMIT ${size}${offset && ` + ${offset}`}`
  const all =
    matches.length === 1 ? matches[0] : `FROM (${joinFragments(matches.map((f) => `SELECT t.* ${f} ${most}`))}) t`
  const cut = (columns: string) => `SELECT ${columns} ${all} ORDER BY ${order} ${limit}`
  const isDeep = page.offset >= DEEP_OFFSET
  const from = isDeep
    ? `FROM (${cut(key.replace(/(\w+)/g, 't.$1'))}) k JOIN ${r.table} t USING (${key})${plan.joins} ORDER BY ${order}`
    : `FROM (${cut('t.*')}) t${plan.joins} ORDER BY ${order}`
  const onLast = (value: string) => `CASE row_number() OVER () WHEN ${size} THEN ${value} END`
  const last = `${onLast(`CASE ${SNAPSHOT_SQL} WHEN $${v.list.length + 1}::text THEN NULL ELSE (${capped}) END`)}, ${onLast(SNAPSHOT_SQL)}`
  const search = { r, plan, access, plain, searches, matches, terms, limit, size, values: v.list, page: cut('t.*') }
  return {
    page: { query: prepare(`SELECT ${plan.select} ${from}`), values: v.list },
    count: {
      cap,
      capped: { query: prepare(capped), values: counted },
      whole: { query: prepare(countTo('')), values: counted },
    },
    counted: { query: prepare(`SELECT ${plan.select}, ${last} ${from}`), values: v.list },
    ...(searches.length
      ? {
          searched: {
            found: () => searchAllQuery(search),
            ...(isDeep ? {} : { near: () => searchNearestQuery(search) }),
          },
        }
      : {}),
  }
}

interface OneOptions {
  readonly verb: Verb
  /** Locks it until the transaction ends. */
  readonly lock: boolean
  /** Includes fields that the actor may not see: for behaviour, and where the owner of a field is in the row. */
  readonly everything: boolean
}

/** The statement for one record; its last value is the id. */
interface OneQuery extends BoundQuery {
  readonly plan: SelectPlan
}

/** Compiled once for each actor: it is the same for each record. */
const statementsOf = cachePerDeclaration<Actor, (r: Resource) => Map<string, OneQuery | undefined>>(() =>
  cachePerResource(() => new Map()),
)

/** One record by id, within the actor's access. `undefined`: the actor may read none. */
export function oneQuery(
  r: Resource,
  actor: Actor | undefined,
  verb: Verb,
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
  const v = new Values()
  const seen = scopeOf(actor, verb, r)
  // Rows are locked to be changed: readable rows of other owners are not included.
  const scope =
    lock && (seen.tenants === 'own or template' || seen.tenants === 'resold')
      ? { ...seen, tenants: 'own' as const }
      : seen
  const tenant = accessCondition(r, scope, actor, v)
  if (tenant === undefined) return undefined
  const plan = selectPlanFor(r, everything ? undefined : actor)
  // Across tenants, still by the primary key that starts with the tenant: a probe per client instead of a scan.
  const reach =
    scope.tenants === 'all' && namesTenant(r) ? `${tenant} AND t.client_id IN (SELECT id FROM client)` : tenant
  const id = `$${v.list.length + 1}::bigint`
  const text = `SELECT ${plan.select} FROM ${r.table} t${plan.joins} WHERE ${reach} AND t.id = ${id}${lock ? `${lockFirstText(r)} FOR UPDATE OF t` : ''}`
  return { query: prepare(text), values: v.list, plan }
}
