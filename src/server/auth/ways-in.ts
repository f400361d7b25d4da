import type { Tx } from '#server/db/db.ts'
import type { Account } from './credentials.ts'
import { endSessions } from './end-sessions.ts'

/** What can change about the ways in of an account. */
export type WayChange = 'password' | 'email' | 'username' | 'first-factor' | 'factor-reset' | 'retirement'

/** What was made for the former way in. */
type Made = 'sessions' | 'proof' | 'links' | 'tickets' | 'devices'

/** What ends with what. A session that is named stays: the one by which the change is made. */
const ENDS: Readonly<Record<WayChange, readonly Made[]>> = {
  password: ['sessions', 'links', 'tickets'],
  email: ['links'],
  username: ['links', 'tickets'],
  // Who knew the password alone has had browsers known.
  'first-factor': ['proof', 'tickets', 'devices'],
  'factor-reset': ['sessions', 'tickets'],
  retirement: ['sessions', 'links', 'tickets', 'devices'],
}

/**
 * Ends what was made for an account's former way in, in the transaction that changes it, after the account is locked: what is
 * begun at the same time waits, and finds the change.
 */
export async function endWaysIn(tx: Tx, account: Account, change: WayChange, butSession?: number): Promise<void> {
  for (const made of ENDS[change]) await END[made](tx, account, butSession)
}

const END: Readonly<Record<Made, (tx: Tx, account: Account, butSession?: number) => Promise<unknown>>> = {
  sessions: endSessions,
  proof: (tx, { clientId, userId }, butSession) =>
    tx.rows(
      `UPDATE session SET proved_by = 'password' WHERE client_id = $1 AND user_id = $2 AND id IS DISTINCT FROM $3 AND proved_by <> 'password'`,
      [clientId, userId, butSession ?? null],
    ),
  links: endLinks,
  tickets: endTickets,
  devices: (tx, { clientId, userId }) =>
    tx.rows('DELETE FROM known_device WHERE client_id = $1 AND user_id = $2', [clientId, userId]),
}

/** Ends the links that set an account's password, and those of letters that have not gone out. */
async function endLinks(tx: Tx, { clientId, userId }: Account): Promise<void> {
  const whose = [clientId, userId]
  await tx.rows('UPDATE user_account SET link_epoch = link_epoch + 1 WHERE client_id = $1 AND id = $2', whose)
  await tx.rows(
    'UPDATE password_reset SET used_at = now() WHERE client_id = $1 AND user_id = $2 AND used_at IS NULL',
    whose,
  )
}

/** Ends all the tickets of an account. */
export function endTickets(tx: Tx, { clientId, userId }: Account): Promise<unknown> {
  return tx.rows('DELETE FROM factor_ticket WHERE client_id = $1 AND user_id = $2', [clientId, userId])
}
