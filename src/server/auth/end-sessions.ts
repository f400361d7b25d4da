import type { Tx } from '#server/db/db.ts'
import type { Account } from './credentials.ts'

/** Ends every session of a person, but one if asked, and their visits. */
export async function endSessions(tx: Tx, { clientId, userId }: Account, but?: number): Promise<void> {
  const ended = [clientId, userId, but ?? null]
  await tx.rows(
    `UPDATE visit v SET ended_at = least(now(), v.until) FROM session s
     WHERE s.client_id = $1 AND s.user_id = $2 AND s.id IS DISTINCT FROM $3 AND v.client_id = s.as_client_id AND v.id = s.as_visit_id AND v.ended_at IS NULL`,
    ended,
  )
  await tx.rows('DELETE FROM session WHERE client_id = $1 AND user_id = $2 AND id IS DISTINCT FROM $3', ended)
}

/** Takes from somebody who leaves every way in that they had: sessions, browsers that are known, links. */
export async function endAccess(tx: Tx, account: Account): Promise<void> {
  await endSessions(tx, account)
  for (const table of ['known_device', 'password_reset'])
    await tx.rows(`DELETE FROM ${table} WHERE client_id = $1 AND user_id = $2`, [account.clientId, account.userId])
}

/** Ends the sessions of a client's people; they have no way in any more. */
export const endSessionsOfClient = (tx: Tx, clientId: number): Promise<unknown> =>
  tx.rows('DELETE FROM session WHERE client_id = $1', [clientId])
