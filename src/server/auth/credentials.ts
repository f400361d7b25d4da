import { problem } from '#kernel/errors.ts'
import type { Tx } from '#server/db/db.ts'
import { hashPassword, passwordProblems } from './passwords.ts'

/** Whose password it is. */
export interface Account {
  readonly clientId: number
  readonly userId: number
}

/** An account with the hash that a password was checked against. */
export interface Checked extends Account {
  readonly hash: string
}

/** An account with what its password is checked against. */
export interface Credential extends Checked {
  /** Published with the demo world. */
  readonly demo: boolean
  /** Has the account signed in with this browser before? */
  readonly known: boolean
}

/** What a username leads to: the name as the database folds it, and those who sign in by it. */
export interface Named {
  readonly folded: string
  readonly accounts: readonly Credential[]
}

/** Those who sign in by a username, in one client or in any; nobody who is retired, nor anybody of a retired client. */
export async function findCredentials(
  tx: Tx,
  username: string,
  clientId: number | undefined,
  device: string | undefined,
): Promise<Named> {
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

/** What the account's present password is checked against; `undefined` for one without a password. */
export async function readHash(tx: Tx, { clientId, userId }: Account): Promise<string | undefined> {
  const [held] = await tx.rows<{ hash: string }>('SELECT hash FROM credential WHERE client_id = $1 AND user_id = $2', [
    clientId,
    userId,
  ])
  return held?.hash
}

/** Keeps an account from everybody else who comes in by it or changes its ways in, until the transaction ends. */
export const lockAccount = (tx: Tx, { clientId, userId }: Account): Promise<unknown> =>
  tx.rows('SELECT 1 FROM user_account WHERE client_id = $1 AND id = $2 FOR NO KEY UPDATE', [clientId, userId])

/**
 * The same, where the password is still the one that was checked, and its owner still here. Throws 401: a password takes time to
 * check, and meanwhile another may have been set.
 */
export async function lockChecked(tx: Tx, checked: Checked): Promise<void> {
  await lockAccount(tx, checked)
  await requireStillChecked(tx, checked)
}

/** Throws 401 where the password is not the one that was checked any more, or its owner gone. The account is locked by now. */
export async function requireStillChecked(tx: Tx, checked: Checked): Promise<void> {
  const [held] = await tx.rows<{ hash: string }>(
    `SELECT c.hash FROM credential c JOIN user_account u ON u.client_id = c.client_id AND u.id = c.user_id JOIN client k ON k.id = c.client_id
     WHERE c.client_id = $1 AND c.user_id = $2 AND NOT u.is_retired AND NOT k.retired`,
    [checked.clientId, checked.userId],
  )
  if (held?.hash !== checked.hash)
    throw problem.signIn('This sign-in was changed just now. Please sign in again.', 'wrong_credentials')
}

/** Stores a new password; throws 422 for one that is too weak, unless it is the demo world's. */
export async function setPassword(
  tx: Tx,
  { clientId, userId }: Account,
  password: unknown,
  about: readonly string[],
  { demo = false } = {},
): Promise<void> {
  const wrong = passwordProblems(password, about)
  if (wrong.length && !demo) throw problem.invalid(wrong)
  await tx.rows(
    `INSERT INTO credential (client_id, user_id, hash, demo) VALUES ($1, $2, $3, $4)
     ON CONFLICT (client_id, user_id) DO UPDATE SET hash = EXCLUDED.hash, demo = EXCLUDED.demo, changed_at = now()`,
    [clientId, userId, await hashPassword(typeof password === 'string' ? password : ''), demo],
  )
}
