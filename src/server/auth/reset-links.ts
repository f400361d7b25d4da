import type { Tx } from '#server/db/db.ts'
import { isoUtc } from '#server/db/iso.ts'
import type { Account } from './credentials.ts'
import { digest, newSecret } from './secret.ts'

/** Somebody who may set a password by a link, and until when. */
export interface LinkOwner extends Account {
  readonly username: string
  readonly name: string
  readonly company: string
  readonly until: string
}

/** A link that somebody asked for who has forgotten their password, or one that invites. */
export type LinkKind = 'reset' | 'invite'

/**
 * The secret of a link that sets a password once. A new invitation ends the former one. Links that were asked for stay good
 * beside each other and beside an invitation: whoever asks in somebody's name takes nothing from them. `undefined` where the
 * account's links have ended since its letter was written, which says at which `epoch` that was.
 */
export async function makeResetLink(
  tx: Tx,
  account: Account & { readonly epoch: number },
  kind: LinkKind,
  minutes: number,
): Promise<string | undefined> {
  const token = newSecret()
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
    [digest(token), account.clientId, account.userId, kind, minutes],
  )
  return token
}

/** How often the links of an account have ended: a letter says it, and makes a link only while it is so. */
export async function readLinkEpoch(tx: Tx, { clientId, userId }: Account): Promise<number> {
  const [held] = await tx.rows<{ link_epoch: number }>(
    'SELECT link_epoch FROM user_account WHERE client_id = $1 AND id = $2',
    [clientId, userId],
  )
  return held?.link_epoch ?? 0
}

/** Whose link it is, kept from others until the transaction ends; `undefined` once it is used or too old, and for those who are retired. */
export async function lockResetLink(tx: Tx, token: string): Promise<LinkOwner | undefined> {
  // The account before its links, as everybody else does.
  await tx.rows(
    `SELECT 1 FROM user_account u JOIN password_reset r ON u.client_id = r.client_id AND u.id = r.user_id
     WHERE r.hash = $1 FOR NO KEY UPDATE OF u`,
    [digest(token)],
  )
  const [owner] = await tx.rows<LinkOwner>(
    `SELECT u.client_id AS "clientId", u.id AS "userId", u.username, u.name, c.company,
       ${isoUtc('r.expires_at')} AS until
     FROM password_reset r JOIN user_account u ON u.client_id = r.client_id AND u.id = r.user_id JOIN client c ON c.id = u.client_id
     WHERE r.hash = $1 AND r.used_at IS NULL AND r.expires_at > now() AND NOT u.is_retired AND NOT c.retired FOR UPDATE OF r`,
    [digest(token)],
  )
  return owner
}
