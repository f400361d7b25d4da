import type { Actor } from '#kernel/roles.ts'
import type { SqlConn } from '#server/db/db.ts'

/** An audit row for an event that changes no record: verb, record ID (0 for a list), and details. */
export interface AuditEvent {
  readonly clientId: number
  readonly type: string
  readonly rowId: number
  readonly verb: string
  readonly changes: unknown
  readonly requestId?: string
}

export type AuditActor = Pick<Actor, 'userId' | 'clientId' | 'username' | 'name'> & Pick<Partial<Actor>, 'original'>

/** Writes an audit row. Changes to records are audited automatically (`TransactionWrites`). */
export async function writeAuditEvent(conn: SqlConn, actor: AuditActor, trace: AuditEvent): Promise<void> {
  const who = actor.original ?? actor
  await conn.rows(
    'INSERT INTO audit (client_id, type, row_id, verb, changes, user_id, username, as_user_id, as_username, as_visit_id, request_id) VALUES ($1, $2, $3, $4, $5::jsonb, $6, $7, $8, $9, $10, $11)',
    [
      trace.clientId,
      trace.type,
      trace.rowId,
      trace.verb,
      JSON.stringify(trace.changes),
      who.userId,
      who.username,
      actor.original ? actor.userId : null,
      actor.original ? actor.username : null,
      actor.original?.visit ?? null,
      trace.requestId ?? null,
    ],
  )
}
