import { problem } from '#kernel/errors.ts'
import type { Tx } from '#server/db/db.ts'
import { hashPassword, passwordViolations } from './passwords.ts'

/** Identifies a user account. */
export interface Account {
  readonly clientId: number
  readonly userId: number
}

/** An account with the hash its password was checked against. */
export interface CheckedAccount extends Account {
  readonly hash: string
}

/** An account with its stored password hash. */
export interface Credential extends CheckedAccount {
  /** Part of the public demo data. */
  readonly demo: boolean
  /** True if the account has signed in with this browser before. */
  readonly known: boolean
}

/** Result of a username lookup: the name as folded by the database, and the matching credentials. */
export interface UsernameMatch {
  readonly folded: string
  readonly accounts: readonly Credential[]
}

/**
 * Finds the credentials for a username, in one client or in all; excludes retired users and users of retired clients.
 */
export async function findCredentials(
  tx: Tx,
  username: string,
  clientId: number | undefined,
  device: string | undefined,
): Promise<UsernameMatch> {
  const found = await tx.rows<Credential & { folded: string; userId: number | null }>(
    `SELECT n.folded, u.client_id AS "clientId", u.id AS "userId", u.hash, u.demo, coalesce(u.known, false) AS known
     FROM (SELECT lower($1) AS folded) n LEFT JOIN LATERAL (
       SELECT p.client_id, p.id, c.hash, c.demo,
         EXISTS (SELECT FROM known_device d WHERE d.client_id = p.client_id AND d.user_id = p.id AND d.hash = $3) AS known
       FROM user_account p JOIN client k ON k.id = p.client_id JOIN credential c ON c.client_id = p.client_id AND c.user_id = p.id
       WHERE lower(p.username) = n.folded AND NOT p.is_retired AND NOT k.retired AND ($2::int IS NULL OR p.client_id = $2)
       ORDER BY known DESC LIMIT 3) u ON true`,
    [username, clientId ?? null, device ?? null],
  )
  return { folded: found[0]?.folded ?? '', accounts: found.filter((c) => c.userId !== null) }
}

/** Returns the account's current password hash; `undefined` if it has no password. */
export async function readPasswordHash(tx: Tx, { clientId, userId }: Account): Promise<string | undefined> {
  const [held] = await tx.rows<{ hash: string }>('SELECT hash FROM credential WHERE client_id = $1 AND user_id = $2', [
    clientId,
    userId,
  ])
  return held?.hash
}

/** Locks an account until the transaction ends, against concurrent sign-ins and changes to its credentials. */
export const lockAccount = (tx: Tx, { clientId, userId }: Account): Promise<unknown> =>
  tx.rows('SELECT 1 FROM user_account WHERE client_id = $1 AND id = $2 FOR NO KEY UPDATE', [clientId, userId])

/** Locks an account and throws 401 if its password or owner has changed since the check, as hashing takes time. */
export async function lockCheckedAccount(tx: Tx, checked: CheckedAccount): Promise<void> {
  await lockAccount(tx, checked)
  await requireUnchangedCredentials(tx, checked)
}

/** Throws 401 if the password has changed since the check or the owner has left. Expects the account to be locked. */
export async function requireUnchangedCredentials(tx: Tx, checked: CheckedAccount): Promise<void> {
  const [held] = await tx.rows<{ hash: string }>(
    `SELECT c.hash FROM credential c JOIN user_account u ON u.client_id = c.client_id AND u.id = c.user_id JOIN client k ON k.id = c.client_id
     WHERE c.client_id = $1 AND c.user_id = $2 AND NOT u.is_retired AND NOT k.retired`,
    [checked.clientId, checked.userId],
  )
  if (held?.hash !== checked.hash)
    throw problem.signIn('Your sign-in details have just changed. Please sign in again.', 'wrong_credentials')
}

/** Stores a new password; throws 422 for a weak one, except in the demo data. */
export async function setPassword(
  tx: Tx,
  { clientId, userId }: Account,
  password: unknown,
  about: readonly string[],
  { demo = false } = {},
): Promise<void> {
  const wrong = passwordViolations(password, about)
  if (wrong.length && !demo) throw problem.invalid(wrong)
  await tx.rows(
    `INSERT INTO credential (client_id, user_id, hash, demo) VALUES ($1, $2, $3, $4)
     ON CONFLICT (client_id, user_id) DO UPDATE SET hash = EXCLUDED.hash, demo = EXCLUDED.demo, changed_at = now()`,
    [clientId, userId, await hashPassword(typeof password === 'string' ? password : ''), demo],
  )
}
