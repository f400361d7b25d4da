import { scopeOf } from '#kernel/can.ts'
import { perDeclaration, perResource } from '#kernel/per-declaration.ts'
import type { Resource, Verb } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { accessCondition, accessConditions } from './access-sql.ts'
import { type Query, readFilters } from './filters.ts'
import { orderTerms } from './order.ts'
import { type SelectPlan, selectPlanFor } from './plan.ts'
import type { Condition } from './query-values.ts'
import { type BoundQuery, foundByWords, joinFragments, keyOf, nearByWords, SEARCH_COUNT_LIMIT } from './searched.ts'
import { namesTenant } from './tenancy.ts'
import { prepare, Values } from './values.ts'
import { heldText } from './where.ts'

export interface Page {
  readonly limit: number
  readonly offset: number
}

/** Counting what a list holds: up to the cap, or all of it. */
export interface Count {
  readonly cap: number
  readonly capped: BoundQuery
  readonly whole: BoundQuery
}
export interface ListQuery {
  readonly page: BoundQuery
  readonly count: Count
  /**
   * The page and, in two columns more of its last row, the count and its moment: only a full page has them, as any other is its own count. Its
   * last value is the moment that was counted at before; where it is still that moment, there is no count.
   */
  readonly counted: BoundQuery
  /** Where it is searched by words, of which nobody knows how many rows have them before they have been found. */
  readonly searched?: {
    /** The page and, in a column more, the count up to the cap. Where it is the cap, the page is none. */
    readonly found: () => BoundQuery
    /** The page where many rows have the words; deep down there is none. */
    readonly near?: () => BoundQuery
  }
}

/** From this offset on, a page is found by its ids first, so that skipped rows are not carried along. */
const DEEP = 300
/** Totals are counted to here at once; larger ones come from a short memory (see `totals.ts`). */
const COUNT_CAP = 10_001
/**
 * Which moment of the database is seen: the same text means the same rows, as any that is committed makes it another. None in a
 * transaction that has written something itself.
 */
const MOMENT = 'CASE WHEN pg_current_xact_id_if_assigned() IS NULL THEN pg_current_snapshot()::text END'

/** Lists that are remembered, of all people together. */
const LISTS_MOST = 500
const newLists = () =>
  perDeclaration<Actor, (r: Resource) => Map<string, ListQuery>>(() => perResource(() => new Map()))
/** Put together once for who asks for them again, as they do for tabs and pages. Words are seldom looked for again. */
let listsOf = newLists()
let remembered = 0

function rememberList(lists: Map<string, ListQuery>, key: string, list: ListQuery): void {
  if (++remembered > LISTS_MOST) {
    remembered = 0
    listsOf = newLists()
  } else lists.set(key, list)
}

/** The list's statements: one page, the count up to the cap, and both at once. `extra` are conditions of a route's own. */
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
  if (made && !made.searched) rememberList(lists, key, made)
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
  // The client's own rows and the templates are each read in the order of their index, so that a page is read of either and
  // not the whole of both.
  const walls = accessConditions(r, scopeOf(actor, 'read', r), actor, v)
  if (walls === undefined) return undefined
  const filters = [...readFilters(r, actor, query), ...extra]
  const searches = filters.filter((c) => c.isSearch)
  const plain = filters.flatMap((c) => (c.isSearch ? [] : [c.sql(v.next)]))
  const conditions = [...plain, ...searches.map((c) => c.sql(v.next))]
  const found = walls.map((one) => `FROM ${r.table} t WHERE ${[one, ...conditions].join(' AND ')}`)
  const countTo = (limit: string) =>
    `SELECT count(*) FROM (${joinFragments(found.map((f) => `SELECT 1 ${f}${limit}`))}) c`
  const cap = searches.length ? SEARCH_COUNT_LIMIT : COUNT_CAP
  const capped = countTo(` LIMIT ${cap}`)
  const counted = [...v.list]
  const first = filters.flatMap((c) => (c.first ? [`(${c.first(v.next)}) DESC`] : []))
  const terms = [...first, ...orderTerms(r, actor, query, v)]
  const order = terms.join(', ')
  const plan = selectPlanFor(r, actor, true)
  // The page's size is part of the text: a bound one would make the planner guess how many rows are wanted.
  const size = Math.trunc(page.limit)
  const offset = page.offset ? `${v.next(page.offset)}::int` : ''
  const limit = `LIMIT ${size}${offset && ` OFFSET ${offset}`}`
  // The page is cut out before anything is joined to it. Deep down, only its keys are, so that skipped rows aren't carried along.
  const key = keyOf(r)
  const most = `ORDER BY ${order} LIMIT ${size}${offset && ` + ${offset}`}`
  const all = found.length === 1 ? found[0] : `FROM (${joinFragments(found.map((f) => `SELECT t.* ${f} ${most}`))}) t`
  const cut = (columns: string) => `SELECT ${columns} ${all} ORDER BY ${order} ${limit}`
  const isDeep = page.offset >= DEEP
  const from = isDeep
    ? `FROM (${cut(key.replace(/(\w+)/g, 't.$1'))}) k JOIN ${r.table} t USING (${key})${plan.joins} ORDER BY ${order}`
    : `FROM (${cut('t.*')}) t${plan.joins} ORDER BY ${order}`
  const onLast = (value: string) => `CASE row_number() OVER () WHEN ${size} THEN ${value} END`
  const last = `${onLast(`CASE ${MOMENT} WHEN $${v.list.length + 1}::text THEN NULL ELSE (${capped}) END`)}, ${onLast(MOMENT)}`
  const search = { r, plan, walls, plain, searches, found, terms, limit, size, values: v.list, page: cut('t.*') }
  return {
    page: { query: prepare(`SELECT ${plan.select} ${from}`), values: v.list },
    count: {
      cap,
      capped: { query: prepare(capped), values: counted },
      whole: { query: prepare(countTo('')), values: counted },
    },
    counted: { query: prepare(`SELECT ${plan.select}, ${last} ${from}`), values: v.list },
    ...(searches.length
      ? { searched: { found: () => foundByWords(search), ...(isDeep ? {} : { near: () => nearByWords(search) }) } }
      : {}),
  }
}

/** How one record is asked for. */
interface OneAsked {
  readonly verb: Verb
  /** Keeps others from changing it until the transaction ends. */
  readonly lock: boolean
  /** With what the actor may not see: for behaviour, and where whose a field is stands in the row. */
  readonly everything: boolean
}

/** The statement for one record, whose last value is its id. */
interface One extends BoundQuery {
  readonly plan: SelectPlan
}

/** Put together once for whoever is signed in: it is the same for each record. */
const statementsOf = perDeclaration<Actor, (r: Resource) => Map<string, One | undefined>>(() =>
  perResource(() => new Map()),
)

/** One record by id, as far as the actor reaches. `undefined`: the actor reaches none. */
export function oneQuery(
  r: Resource,
  actor: Actor | undefined,
  verb: Verb,
  id: number,
  { lock = false, everything = false } = {},
): One | undefined {
  const asked = { verb, lock, everything }
  const known = actor && statementsOf(actor)(r)
  const key = `${verb} ${lock} ${everything}`
  const one = known?.has(key) ? known.get(key) : oneStatement(r, actor, asked)
  known?.set(key, one)
  return one && { ...one, values: [...one.values, id] }
}

function oneStatement(r: Resource, actor: Actor | undefined, { verb, lock, everything }: OneAsked): One | undefined {
  const v = new Values()
  const seen = scopeOf(actor, verb, r)
  // What is locked is to be changed: others' records that can be looked at are not.
  const scope =
    lock && (seen.tenants === 'own or template' || seen.tenants === 'resold')
      ? { ...seen, tenants: 'own' as const }
      : seen
  const tenant = accessCondition(r, scope, actor, v)
  if (tenant === undefined) return undefined
  const plan = selectPlanFor(r, everything ? undefined : actor)
  // Over all tenants, still by the primary key that starts with the tenant: a probe per client instead of a scan.
  const reach =
    scope.tenants === 'all' && namesTenant(r) ? `${tenant} AND t.client_id IN (SELECT id FROM client)` : tenant
  const id = `$${v.list.length + 1}::bigint`
  const text = `SELECT ${plan.select} FROM ${r.table} t${plan.joins} WHERE ${reach} AND t.id = ${id}${lock ? `${heldText(r)} FOR UPDATE OF t` : ''}`
  return { query: prepare(text), values: v.list, plan }
}
