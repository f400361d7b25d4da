import { hash, randomBytes } from 'node:crypto'
import type { Tx } from '#server/db/db.ts'
import type { Account } from './credentials.ts'

const digest = (token: string) => hash('sha256', token, 'base64url')

/** Somebody who may set a password by a link, and until when. */
export interface LinkOwner extends Account {
  readonly username: string
  readonly name: string
  readonly until: string
}

/** The secret of a link that sets a password once; the account's earlier links are over. */
export async function makeResetLink(tx: Tx, account: Account, minutes: number): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await endResetLinks(tx, account)
  await tx.rows(
    'INSERT INTO password_reset (hash, client_id, user_id, expires_at) VALUES ($1, $2, $3, now() + make_interval(mins => $4))',
    [digest(token), account.clientId, account.userId, minutes],
  )
  return token
}

/** Whose link it is, kept from others until the transaction ends; `undefined` once it is used or too old. */
export async function lockResetLink(tx: Tx, token: string): Promise<LinkOwner | undefined> {
  const [owner] = await tx.rows<LinkOwner>(
    `SELECT u.client_id AS "clientId", u.id AS "userId", u.username, u.name, to_char(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"') AS until
     FROM password_reset r JOIN user_account u ON u.client_id = r.client_id AND u.id = r.user_id
     WHERE r.hash = $1 AND r.used_at IS NULL AND r.expires_at > now() AND NOT u.is_retired FOR UPDATE OF r`,
    [digest(token)],
  )
  return owner
}

/** Ends all the links of an account. */
export const endResetLinks = (tx: Tx, { clientId, userId }: Account): Promise<unknown> =>
  tx.rows('UPDATE password_reset SET used_at = now() WHERE client_id = $1 AND user_id = $2 AND used_at IS NULL', [
    clientId,
    userId,
  ])
