import type { Tx } from '#server/db/db.ts'
import type { Account } from './credentials.ts'
import { endSessions } from './end-sessions.ts'

/** Changes to an account's credentials. */
export type CredentialChange = 'password' | 'email' | 'username' | 'first-factor' | 'factor-reset' | 'retirement'

/** Access that was granted by the former credentials. */
type Made = 'sessions' | 'proof' | 'links' | 'tickets' | 'devices'

/** Access that each change revokes. `butSession` survives: the session that makes the change. */
const ENDS: Readonly<Record<CredentialChange, readonly Made[]>> = {
  password: ['sessions', 'links', 'tickets'],
  email: ['links'],
  username: ['links', 'tickets'],
  // Browsers may have been remembered by somebody who only knew the password.
  'first-factor': ['proof', 'tickets', 'devices'],
  'factor-reset': ['sessions', 'tickets'],
  retirement: ['sessions', 'links', 'tickets', 'devices'],
}

/**
 * Revokes access granted by an account's former credentials, in the transaction that changes them. Expects the account
 * to be locked: concurrent sign-ins wait, and see the change.
 */
export async function revokeFormerAccess(
  tx: Tx,
  account: Account,
  change: CredentialChange,
  butSession?: number,
): Promise<void> {
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
  tickets: endFactorTickets,
  devices: (tx, { clientId, userId }) =>
    tx.rows('DELETE FROM known_device WHERE client_id = $1 AND user_id = $2', [clientId, userId]),
}

/** Ends an account's password links, including those of e-mails not yet sent. */
async function endLinks(tx: Tx, { clientId, userId }: Account): Promise<void> {
  const whose = [clientId, userId]
  await tx.rows('UPDATE user_account SET link_epoch = link_epoch + 1 WHERE client_id = $1 AND id = $2', whose)
  await tx.rows(
    'UPDATE password_reset SET used_at = now() WHERE client_id = $1 AND user_id = $2 AND used_at IS NULL',
    whose,
  )
}

export function endFactorTickets(tx: Tx, { clientId, userId }: Account): Promise<unknown> {
  return tx.rows('DELETE FROM factor_ticket WHERE client_id = $1 AND user_id = $2', [clientId, userId])
}
