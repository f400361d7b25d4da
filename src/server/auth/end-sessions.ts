import type { Tx } from '#server/db/db.ts'
import type { Account } from './credentials.ts'

/** Ends all sessions of a person and the impersonations in them, except for one session if given. */
export async function endSessions(tx: Tx, { clientId, userId }: Account, but?: number): Promise<void> {
  const ended = [clientId, userId, but ?? null]
  await tx.rows(
    `UPDATE visit v SET ended_at = least(now(), v.until) FROM session s
     WHERE s.client_id = $1 AND s.user_id = $2 AND s.id IS DISTINCT FROM $3 AND v.client_id = s.as_client_id AND v.id = s.as_visit_id AND v.ended_at IS NULL`,
    ended,
  )
  await tx.rows('DELETE FROM session WHERE client_id = $1 AND user_id = $2 AND id IS DISTINCT FROM $3', ended)
}

/** Revokes all access of a client's users, when the client is retired or restored. */
export async function revokeClientAccess(tx: Tx, clientId: number): Promise<void> {
  await tx.rows('UPDATE user_account SET link_epoch = link_epoch + 1 WHERE client_id = $1', [clientId])
  for (const table of ['session', 'factor_ticket', 'known_device', 'password_reset'])
    await tx.rows(`DELETE FROM ${table} WHERE client_id = $1`, [clientId])
}
