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

/** Verbs of audit events that change nothing: reads of confidential data, and exports. */
export const READING_VERBS = ['look', 'export'] as const

export type AuditActor = Pick<Actor, 'userId' | 'clientId' | 'username' | 'name'> & Pick<Partial<Actor>, 'original'>

/** Writes an audit row. Changes to records are audited automatically (`TransactionWrites`). */
export const writeAuditEvent = (conn: SqlConn, actor: AuditActor, trace: AuditEvent): Promise<void> =>
  writeAuditEvents(conn, actor, [trace])

/** Writes audit rows of one actor together. */
export async function writeAuditEvents(conn: SqlConn, actor: AuditActor, traces: readonly AuditEvent[]): Promise<void> {
  const who = actor.original ?? actor
  await conn.rows(
    `INSERT INTO audit (client_id, type, row_id, verb, changes, request_id, user_id, username, as_user_id, as_username, as_visit_id)
     SELECT t."clientId", t.type, t."rowId", t.verb, t.changes, t."requestId", $2, $3, $4, $5, $6
     FROM jsonb_to_recordset($1::jsonb) t("clientId" int, type text, "rowId" bigint, verb text, changes jsonb, "requestId" text)`,
    [
      JSON.stringify(traces),
      who.userId,
      who.username,
      actor.original ? actor.userId : null,
      actor.original ? actor.username : null,
      actor.original?.visit ?? null,
    ],
  )
}
