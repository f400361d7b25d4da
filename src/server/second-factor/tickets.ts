import type { Account, CheckedAccount } from '#server/auth/credentials.ts'
import { createSecret, hashSecret } from '#server/auth/secret.ts'
import type { Tx } from '#server/db/db.ts'

/**
 * Purposes of tickets, with their lifetime in minutes. `prove` continues a sign-in after a correct password. `enrol`
 * sets up the first second factor during such a sign-in. `totp` is for an authenticator app whose first code has not
 * been entered yet. `register` and `assert` are challenges for a passkey.
 */
const MINUTES = { prove: 5, enrol: 30, totp: 30, register: 10, assert: 5 } as const

export type SecondFactorTicketKind = keyof typeof MINUTES

/** A ticket with its account, the password hash that was checked for the account, and the stored data. */
export interface SecondFactorTicket extends CheckedAccount {
  readonly username: string
  readonly secret: string | null
}

export const ticketLifetimeSeconds = (kind: SecondFactorTicketKind): number => MINUTES[kind] * 60

/** Issues a ticket: 256 random bits, stored as a hash. `token` passes bits that already exist. */
export async function issueSecondFactorTicket(
  tx: Tx,
  { clientId, userId }: Account,
  kind: SecondFactorTicketKind,
  { secret, token = createSecret() }: { secret?: string; token?: string } = {},
): Promise<string> {
  await tx.rows(
    `INSERT INTO factor_ticket (hash, client_id, user_id, kind, secret, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + make_interval(mins => $6))`,
    [hashSecret(token), clientId, userId, kind, secret ?? null, MINUTES[kind]],
  )
  return token
}

/**
 * Finds a valid ticket. `undefined` if the ticket has been used, has expired or was revoked by a change of credentials,
 * or if the person has left. An `enrol` ticket also becomes invalid once the account has a second factor, because that
 * factor is then needed to add another.
 */
export async function findSecondFactorTicket(
  tx: Tx,
  token: string,
  kind: SecondFactorTicketKind,
): Promise<SecondFactorTicket | undefined> {
  const [found] = await tx.rows<SecondFactorTicket>(
    `SELECT t.client_id AS "clientId", t.user_id AS "userId", u.username, t.secret, c.hash FROM factor_ticket t
     JOIN user_account u ON u.client_id = t.client_id AND u.id = t.user_id
     JOIN credential c ON c.client_id = t.client_id AND c.user_id = t.user_id
     WHERE t.hash = $1 AND t.kind = $2 AND t.expires_at > now() AND NOT u.is_retired
       AND (t.kind <> 'enrol' OR NOT has_second_factor(t.client_id, t.user_id)) FOR UPDATE OF t`,
    [hashSecret(token), kind],
  )
  return found
}

/**
 * Finds this person's valid ticket and deletes it, so that it can't be used again. Returns `undefined` if there is no
 * such ticket.
 */
export async function consumeSecondFactorTicket(
  tx: Tx,
  token: string,
  kind: SecondFactorTicketKind,
  of: Account,
): Promise<SecondFactorTicket | undefined> {
  const found = await findSecondFactorTicket(tx, token, kind)
  if (!found || found.clientId !== of.clientId || found.userId !== of.userId) return undefined
  await tx.rows('DELETE FROM factor_ticket WHERE hash = $1', [hashSecret(token)])
  return found
}
