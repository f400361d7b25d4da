import { type AccessScope, accessScopeFor } from '#kernel/can.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { buildCombinedAccessCondition } from './access-sql.ts'
import { parseFilters, type RequestQuery } from './filters.ts'
import { parseSortOrder } from './order.ts'
import { type SelectPlan, tenantColumnSql } from './plan.ts'
import type { QueryCondition } from './values.ts'
import { BoundValues, prepareSql } from './values.ts'
import type { BoundQuery } from './word-search.ts'

/** The key of a record: its tenant (0 for shared data) and its ID. */
export type RecordKey = readonly [clientId: number, id: number]

/**
 * Returns the conditions for the rows of a list: the actor's access, the query's filters and the caller's conditions.
 * Returns `undefined` if the actor may not read the list.
 */
export function matchingRowsCondition(
  r: Resource,
  actor: Actor,
  query: RequestQuery,
  extra: readonly QueryCondition[],
  v: BoundValues,
  scope: AccessScope = accessScopeFor(actor, 'read', r),
): string[] | undefined {
  const reach = buildCombinedAccessCondition(r, scope, actor, v)
  return reach === undefined
    ? undefined
    : [reach, ...[...parseFilters(r, actor, query), ...extra].map((c) => c.sql(v.next))]
}

/**
 * Returns a query for the keys of a list's rows, in list order, up to `most`. The rows are then read by key in batches,
 * so that no row is skipped or repeated even if the order changes. Returns `undefined` if the actor may not read the
 * list.
 */
export function matchingKeysQuery(
  r: Resource,
  actor: Actor,
  query: RequestQuery,
  most: number,
  extra: readonly QueryCondition[] = [],
): BoundQuery | undefined {
  const v = new BoundValues()
  const conditions = matchingRowsCondition(r, actor, query, extra, v)
  if (!conditions) return undefined
  const text = `SELECT ${tenantColumnSql(r)}, t.id FROM ${r.table} t WHERE ${conditions.join(' AND ')} ORDER BY ${parseSortOrder(r, actor, query, v)} LIMIT ${Math.trunc(most)}`
  return { query: prepareSql(text), values: v.list }
}

/**
 * Returns a query for a list's rows, in list order, up to `most`, with the given columns over `t`. Returns `undefined`
 * if the actor may not read the list.
 */
export function matchingCellsQuery(
  r: Resource,
  actor: Actor,
  query: RequestQuery,
  most: number,
  extra: readonly QueryCondition[],
  { select, joins, values: v }: { readonly select: string; readonly joins: string; readonly values: BoundValues },
): BoundQuery | undefined {
  const conditions = matchingRowsCondition(r, actor, query, extra, v)
  if (!conditions) return undefined
  const text = `SELECT ${select} FROM ${r.table} t${joins} WHERE ${conditions.join(' AND ')} ORDER BY ${parseSortOrder(r, actor, query, v)} LIMIT ${Math.trunc(most)}`
  return { query: prepareSql(text), values: v.list }
}

/**
 * Returns a query for the keys of a list after a given key, tenant by tenant; `undefined` if the actor may not read the
 * list. For processing all rows while records are being added, deleted and changed.
 */
export function buildNextKeysQuery(
  r: Resource,
  actor: Actor,
  query: RequestQuery,
  after: RecordKey,
  most: number,
  extra: readonly QueryCondition[] = [],
): BoundQuery | undefined {
  const v = new BoundValues()
  const conditions = matchingRowsCondition(r, actor, query, extra, v)
  if (!conditions) return undefined
  const key = `${tenantColumnSql(r)}, t.id`
  const behind = `(${key}) > (${v.next(after[0])}::int, ${v.next(after[1])}::bigint)`
  const text = `SELECT ${key} FROM ${r.table} t WHERE ${[...conditions, behind].join(' AND ')} ORDER BY ${key} LIMIT ${Math.trunc(most)}`
  return { query: prepareSql(text), values: v.list }
}

/**
 * Returns a query for the records with these keys, in the order of the keys, with the columns of `plan`. Leaves out
 * records that have been deleted or are no longer accessible.
 */
export function buildRowsByKeysQuery(
  r: Resource,
  actor: Actor,
  keys: readonly RecordKey[],
  plan: SelectPlan,
): BoundQuery | undefined {
  const v = new BoundValues()
  const reach = buildCombinedAccessCondition(r, accessScopeFor(actor, 'read', r), actor, v)
  if (reach === undefined) return undefined
  const clients = v.next(keys.map(([clientId]) => clientId))
  const ids = v.next(keys.map(([, id]) => id))
  const same = r.tenant === 'shared' ? '' : ' AND t.client_id = k.client'
  // The limit makes the database look up each key by itself: from statistics of other clients it might compare every key
  // with every record of a client.
  const one = `SELECT * FROM ${r.table} t WHERE t.id = k.id${same} LIMIT 1`
  const text = `SELECT ${plan.select} FROM unnest(${clients}::int[], ${ids}::bigint[]) WITH ORDINALITY k(client, id, place) CROSS JOIN LATERAL (${one}) t${plan.joins} WHERE ${reach} ORDER BY k.place`
  return { query: prepareSql(text), values: v.list }
}
