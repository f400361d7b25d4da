import { hash, randomBytes } from 'node:crypto'
import type { Tx } from '#server/db/db.ts'
import { isoUtc } from '#server/db/iso.ts'
import type { Account } from './credentials.ts'

const digest = (token: string) => hash('sha256', token, 'base64url')

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
 * beside each other and beside an invitation: whoever asks in somebody's name takes nothing from them.
 */
export async function makeResetLink(tx: Tx, account: Account, kind: LinkKind, minutes: number): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  if (kind === 'invite') await endLinks(tx, account, ['invite'])
  await tx.rows(
    'INSERT INTO password_reset (hash, client_id, user_id, kind, expires_at) VALUES ($1, $2, $3, $4, now() + make_interval(mins => $5))',
    [digest(token), account.clientId, account.userId, kind, minutes],
  )
  return token
}

/** Whose link it is, kept from others until the transaction ends; `undefined` once it is used or too old, and for those who are retired. */
export async function lockResetLink(tx: Tx, token: string): Promise<LinkOwner | undefined> {
  const [owner] = await tx.rows<LinkOwner>(
    `SELECT u.client_id AS "clientId", u.id AS "userId", u.username, u.name, c.company,
       ${isoUtc('r.expires_at')} AS until
     FROM password_reset r JOIN user_account u ON u.client_id = r.client_id AND u.id = r.user_id JOIN client c ON c.id = u.client_id
     WHERE r.hash = $1 AND r.used_at IS NULL AND r.expires_at > now() AND NOT u.is_retired AND NOT c.retired FOR UPDATE OF r`,
    [digest(token)],
  )
  return owner
}

/** Ends the links of an account: all of them once a password is set. */
export const endLinks = (
  tx: Tx,
  { clientId, userId }: Account,
  kinds: readonly LinkKind[] = ['reset', 'invite'],
): Promise<unknown> =>
  tx.rows(
    'UPDATE password_reset SET used_at = now() WHERE client_id = $1 AND user_id = $2 AND kind = ANY($3) AND used_at IS NULL',
    [clientId, userId, kinds],
  )
