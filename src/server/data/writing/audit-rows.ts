import type { Resource } from '#kernel/resource.ts'
import { type Actor, author } from '#kernel/roles.ts'
import type { Difference } from '../difference.ts'
import type { Values } from '../values.ts'

/** An audit row's own part: what was done to a record of which resource. */
export interface Audit {
  readonly resource: Resource
  readonly verb: string
  changes: Difference
}

/** An audit row, and the part of the statement that writes its record. */
export interface AuditEntry {
  readonly audit: Audit
  readonly from: string
}

/** The client, actor and request: the same in all audit rows of a transaction. */
export interface AuditStamp {
  readonly clientId: number
  readonly actor: Actor
  readonly requestId: string
}

/** The columns that all audit rows of a transaction share, as SQL. */
export function stampText(v: Values, { clientId, actor, requestId }: AuditStamp): string {
  const who = author(actor)
  const as = actor.original ? actor : undefined
  return [
    `${v.next(clientId)}::int`,
    `${v.next(who.userId)}::bigint`,
    `${v.next(who.username)}::text`,
    `${v.next(as?.userId ?? null)}::bigint`,
    `${v.next(as?.username ?? null)}::text`,
    `${v.next(requestId)}::text`,
  ].join(', ')
}

/** The part of a statement that writes audit rows, in the order of the writes. */
export function auditText(v: Values, stamp: AuditStamp, entries: readonly AuditEntry[]): string {
  const shared = stampText(v, stamp)
  const each = entries.map(
    ({ audit: a, from }, n) =>
      `SELECT ${v.next(a.resource.type)}::text AS type, ${from}.id AS row_id, ${v.next(a.verb)}::text AS verb, ${v.next(JSON.stringify(a.changes))}::jsonb AS changes, ${n} AS place FROM ${from}`,
  )
  // Without it, PostgreSQL may write the rows in any order.
  const order = entries.length > 1 ? ' ORDER BY place' : ''
  return `audited AS (INSERT INTO audit (client_id, user_id, username, as_user_id, as_username, request_id, type, row_id, verb, changes)
    SELECT ${shared}, type, row_id, verb, changes FROM (${each.join(' UNION ALL ')}) t${order})`
}
