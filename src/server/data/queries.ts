import { hash } from 'node:crypto'
import { type Scope, scopeOf } from '#kernel/can.ts'
import type { Resource, Verb } from '#kernel/resource.ts'
import { type Actor, PROVIDER } from '#kernel/roles.ts'
import type { Prepared } from '#server/db/db.ts'
import { type Query, readFilters } from './filters.ts'
import { readOrder } from './order.ts'
import { onlyOf, planFor } from './plan.ts'
import type { Condition } from './query-values.ts'

/** Statements by their text: the same shape is prepared once, under one name. */
const prepared = new Map<string, Prepared>()
export function prepare(text: string): Prepared {
  let q = prepared.get(text)
  if (!q) {
    q = { name: `s${hash('sha1', text, 'base64url').slice(0, 16)}`, text }
    prepared.set(text, q)
  }
  return q
}

/** Collects values and hands out their placeholders. */
export class Values {
  readonly list: unknown[] = []
  readonly next = (value: unknown): string => `$${this.list.push(value)}`
}

/** The tenant's part of a WHERE: what nobody can filter away. `undefined`: the actor sees nothing. */
export function wall(r: Resource, scope: Scope, actor: Actor | undefined, v: Values): string | undefined {
  const reach = reachOf(r, scope, actor, v)
  return reach === undefined ? undefined : `${reach}${onlyOf(r)}`
}

function reachOf(r: Resource, scope: Scope, actor: Actor | undefined, v: Values): string | undefined {
  if (scope.tenants === 'none') return undefined
  const mine = scope.mine ? ` AND t.${scope.mine} = ${v.next(actor?.userId)}::bigint` : ''
  if (scope.tenants === 'all' || !actor) return `true${mine}`
  if (scope.tenants === 'own or template') return `t.client_id IN (${v.next(actor.clientId)}::int, 0)${mine}`
  if (scope.tenants === 'resold') {
    const me = v.next(actor.clientId)
    return `t.${r.tenant === 'self' ? 'id' : 'client_id'} IN (SELECT id FROM client WHERE reseller_id = ${me}::int OR id = ${me}::int)`
  }
  return `t.${r.tenant === 'self' ? 'id' : 'client_id'} = ${v.next(actor.clientId)}::int${mine}`
}

/**
 * The same wall in parts, for lists: the client's own rows and the templates, each in the order of its index, so that a page
 * is read of either and not the whole of both.
 */
function parts(r: Resource, scope: Scope, actor: Actor | undefined, v: Values): string[] | undefined {
  const own = wall(r, scope.tenants === 'own or template' ? { ...scope, tenants: 'own' } : scope, actor, v)
  if (own === undefined) return undefined
  return scope.tenants === 'own or template' && actor?.clientId !== PROVIDER
    ? [own, own.replace('t.client_id =', 't.client_id = 0 AND 0 <>')]
    : [own]
}
const together = (selects: readonly string[]) =>
  selects.length === 1 ? selects[0] : selects.map((s) => `(${s})`).join(' UNION ALL ')

export interface Page {
  readonly limit: number
  readonly offset: number
}

interface Bound {
  readonly query: Prepared
  readonly values: readonly unknown[]
}
export interface ListQuery {
  readonly page: Bound
  readonly count: Bound
  /** The page and, in one column more of its last row, the count: only a full page has it, as any other is its own count. */
  readonly counted: Bound
}

/** From this offset on, a page is found by its ids first, so that skipped rows are not carried along. */
const DEEP = 300
/** Totals are counted to here at once; larger ones come from a short memory (see `totals.ts`). */
export const COUNT_CAP = 10_001

/** The list's statements: one page, the count up to the cap, and both at once. `extra` are conditions of a route's own. */
export function listQuery(
  r: Resource,
  actor: Actor | undefined,
  query: Query,
  page: Page,
  extra: readonly Condition[] = [],
): ListQuery | undefined {
  const v = new Values()
  const walls = parts(r, scopeOf(actor, 'read', r), actor, v)
  if (walls === undefined) return undefined
  const conditions = [...readFilters(r, query), ...extra].map((c) => c.sql(v.next))
  const found = walls.map((w) => `FROM ${r.table} t WHERE ${[w, ...conditions].join(' AND ')}`)
  const count = `SELECT count(*) FROM (${together(found.map((f) => `SELECT 1 ${f} LIMIT ${COUNT_CAP}`))}) c`
  const counted = [...v.list]
  const order = readOrder(r, query)
  const plan = planFor(r, actor, true)
  // The page's size is part of the text: a bound one would make the planner guess how many rows are wanted.
  const size = Math.trunc(page.limit)
  const offset = page.offset ? `${v.next(page.offset)}::int` : ''
  const limit = `ORDER BY ${order} LIMIT ${size}${offset && ` OFFSET ${offset}`}`
  // The page is cut out before anything is joined to it. Deep down, only its keys are, so that skipped rows aren't carried along.
  const key = r.tenant === 'shared' ? 'id' : 'client_id, id'
  const most = `ORDER BY ${order} LIMIT ${size}${offset && ` + ${offset}`}`
  const all = found.length === 1 ? found[0] : `FROM (${together(found.map((f) => `SELECT t.* ${f} ${most}`))}) t`
  const cut = (columns: string) => `(SELECT ${columns} ${all} ${limit})`
  const from =
    page.offset >= DEEP
      ? `FROM ${cut(key.replace(/(\w+)/g, 't.$1'))} k JOIN ${r.table} t USING (${key})${plan.joins} ORDER BY ${order}`
      : `FROM ${cut('t.*')} t${plan.joins} ORDER BY ${order}`
  const last = `CASE row_number() OVER () WHEN ${size} THEN (${count}) END`
  return {
    page: { query: prepare(`SELECT ${plan.select} ${from}`), values: v.list },
    count: { query: prepare(count), values: counted },
    counted: { query: prepare(`SELECT ${plan.select}, ${last} ${from}`), values: v.list },
  }
}

/** One record by id, as far as the actor reaches; `lock` keeps others from changing it until the transaction ends. */
export function oneQuery(
  r: Resource,
  actor: Actor | undefined,
  verb: Verb,
  id: number,
  { lock = false, everything = false } = {},
) {
  const v = new Values()
  const seen = scopeOf(actor, verb, r)
  // What is locked is to be changed: others' records that can be looked at are not.
  const scope =
    lock && (seen.tenants === 'own or template' || seen.tenants === 'resold')
      ? { ...seen, tenants: 'own' as const }
      : seen
  const tenant = wall(r, scope, actor, v)
  if (tenant === undefined) return undefined
  const plan = planFor(r, everything ? undefined : actor)
  // Over all tenants, still by the primary key that starts with the tenant: a probe per client instead of a scan.
  const reach =
    scope.tenants === 'all' && r.tenant !== 'shared' && r.tenant !== 'self'
      ? `${tenant} AND t.client_id IN (SELECT id FROM client)`
      : tenant
  const text = `SELECT ${plan.select} FROM ${r.table} t${plan.joins} WHERE ${reach} AND t.id = ${v.next(id)}::bigint${lock ? ' FOR UPDATE OF t' : ''}`
  return { query: prepare(text), values: v.list, plan }
}
