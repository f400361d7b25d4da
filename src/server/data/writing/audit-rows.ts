import type { Resource } from '#kernel/resource.ts'
import { type Actor, author } from '#kernel/roles.ts'
import type { Difference } from '../difference.ts'
import type { Values } from '../values.ts'

/** What an audit row tells: what was done to a record of which resource. */
export interface Audit {
  readonly resource: Resource
  readonly verb: string
  changes: Difference
}

/** An audit row, and the part of the statement that has the record; or its id, where that is known. */
export interface Told {
  readonly audit: Audit
  readonly from: string | number
}

/** By whom, in which client and request: the same in all audit rows of a transaction. */
export interface Teller {
  readonly clientId: number
  readonly actor: Actor
  readonly requestId: string
}

/** Who tells, as the columns that all audit rows of a transaction have alike. */
export function tellerText(v: Values, { clientId, actor, requestId }: Teller): string {
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

/** The part of a statement that writes audit rows, in the order in which things were done. */
export function auditText(v: Values, teller: Teller, told: readonly Told[]): string {
  const same = tellerText(v, teller)
  const each = told.map(({ audit: a, from }, n) =>
    [
      `SELECT ${v.next(a.resource.type)}::text AS type`,
      `${typeof from === 'number' ? `${v.next(from)}::bigint` : `${from}.id`} AS row_id`,
      `${v.next(a.verb)}::text AS verb`,
      `${v.next(JSON.stringify(a.changes))}::jsonb AS changes`,
      `${n} AS place${typeof from === 'number' ? '' : ` FROM ${from}`}`,
    ].join(', '),
  )
  // Several in one statement would be written in an order of the database's own.
  const order = told.length > 1 ? ' ORDER BY place' : ''
  return `told AS (INSERT INTO audit (client_id, user_id, username, as_user_id, as_username, request_id, type, row_id, verb, changes)
    SELECT ${same}, type, row_id, verb, changes FROM (${each.join(' UNION ALL ')}) t${order})`
}
