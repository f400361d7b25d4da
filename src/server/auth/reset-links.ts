import type { Tx } from '#server/db/db.ts'
import { isoUtc } from '#server/db/iso.ts'
import type { Account } from './credentials.ts'
import { createSecret, hashSecret } from './secret.ts'

/** The owner of a password link, and when it expires. */
export interface ResetLinkOwner extends Account {
  readonly username: string
  readonly name: string
  readonly company: string
  readonly until: string
}

/** Kind of link: password reset or invitation. */
export type ResetLinkKind = 'reset' | 'invite'

/**
 * Creates the secret of a one-time password link. A new invitation ends the previous one. Reset links stay valid beside
 * each other and beside an invitation, so that requests in somebody's name invalidate nothing. `undefined` if the
 * account's links have been revoked since the e-mail was written at this `epoch`.
 */
export async function createResetLink(
  tx: Tx,
  account: Account & { readonly epoch: number },
  kind: ResetLinkKind,
  minutes: number,
): Promise<string | undefined> {
  const token = createSecret()
  const whose = [account.clientId, account.userId]
  const still = await tx.rows(
    'SELECT 1 FROM user_account WHERE client_id = $1 AND id = $2 AND link_epoch = $3 AND NOT is_retired FOR NO KEY UPDATE',
    [...whose, account.epoch],
  )
  if (!still.length) return undefined
  if (kind === 'invite')
    await tx.rows(
      "UPDATE password_reset SET used_at = now() WHERE client_id = $1 AND user_id = $2 AND kind = 'invite' AND used_at IS NULL",
      whose,
    )
  await tx.rows(
    'INSERT INTO password_reset (hash, client_id, user_id, kind, expires_at) VALUES ($1, $2, $3, $4, now() + make_interval(mins => $5))',
    [hashSecret(token), account.clientId, account.userId, kind, minutes],
  )
  return token
}

/**
 * How often the account's links have been revoked: an e-mail records the number, and creates a link only while it is
 * unchanged.
 */
export async function readLinkEpoch(tx: Tx, { clientId, userId }: Account): Promise<number> {
  const [held] = await tx.rows<{ link_epoch: number }>(
    'SELECT link_epoch FROM user_account WHERE client_id = $1 AND id = $2',
    [clientId, userId],
  )
  return held?.link_epoch ?? 0
}

/** Locks a link and returns its owner; `undefined` if it is used, expired or of a retired user. */
export async function lockResetLink(tx: Tx, token: string): Promise<ResetLinkOwner | undefined> {
  // Locks the account before its links, in the same order as everywhere else.
  await tx.rows(
    `SELECT 1 FROM user_account u JOIN password_reset r ON u.client_id = r.client_id AND u.id = r.user_id
     WHERE r.hash = $1 FOR NO KEY UPDATE OF u`,
    [hashSecret(token)],
  )
  const [owner] = await tx.rows<ResetLinkOwner>(
    `SELECT u.client_id AS "clientId", u.id AS "userId", u.username, u.name, c.company,
       ${isoUtc('r.expires_at')} AS until
     FROM password_reset r JOIN user_account u ON u.client_id = r.client_id AND u.id = r.user_id JOIN client c ON c.id = u.client_id
     WHERE r.hash = $1 AND r.used_at IS NULL AND r.expires_at > now() AND NOT u.is_retired AND NOT c.retired FOR UPDATE OF r`,
    [hashSecret(token)],
  )
  return owner
}
