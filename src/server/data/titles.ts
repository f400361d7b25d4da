import { accessScopeFor } from '#kernel/can.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import type { SqlConn } from '#server/db/db.ts'
import { buildCombinedAccessCondition } from './access-sql.ts'
import { BoundValues, prepareSql } from './values.ts'

/**
 * Returns the titles of the records that the actor may read. If their clients are known, `clients` limits the
 * query to them and to templates, which is faster because keys start with the client.
 */
export async function titlesOf(
  conn: SqlConn,
  actor: Actor,
  r: Resource,
  ids: readonly number[],
  clients?: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const v = new BoundValues()
  const reach = buildCombinedAccessCondition(r, accessScopeFor(actor, 'read', r), actor, v)
  if (reach === undefined || !r.title || !ids.length) return new Map()
  const among =
    !clients || r.tenant === 'shared' || r.tenant === 'self'
      ? ''
      : ` AND t.client_id = ANY(${v.next([...new Set([0, ...clients])])}::int[])`
  const text = `SELECT t.id, t.${r.columns[r.title]} FROM ${r.table} t WHERE ${reach}${among} AND t.id = ANY(${v.next([...new Set(ids)])}::bigint[])`
  const rows = await conn.arrays(prepareSql(text), v.list)
  return new Map(rows.flatMap(([id, title]) => (typeof title === 'string' && title ? [[Number(id), title]] : [])))
}
