import { problem } from '#kernel/errors.ts'
import type { Tx } from '#server/db/db.ts'
import { hashPassword, passwordProblems, verifyPassword } from './passwords.ts'

/** Whose password it is. */
export interface Account {
  readonly clientId: number
  readonly userId: number
}

/** An account with what its password is checked against. */
export interface Credential extends Account {
  readonly hash: string
  /** Published with the demo world. */
  readonly demo: boolean
}

/** The same username in this many clients at the most, before the client must be named. */
const CANDIDATES = 5

/** Those who sign in by a username, in one client or in any. */
export const findCredentials = (tx: Tx, username: string, clientId: number | undefined): Promise<Credential[]> =>
  tx.rows<Credential>(
    `SELECT u.client_id AS "clientId", u.id AS "userId", c.hash, c.demo
     FROM user_account u JOIN credential c ON c.client_id = u.client_id AND c.user_id = u.id
     WHERE lower(u.username) = lower($1) AND NOT u.is_retired AND ($2::int IS NULL OR u.client_id = $2) LIMIT ${CANDIDATES}`,
    [username, clientId ?? null],
  )

/** Is this the account's present password? */
export async function isPasswordOf(tx: Tx, { clientId, userId }: Account, password: string): Promise<boolean> {
  const [held] = await tx.rows<{ hash: string }>('SELECT hash FROM credential WHERE client_id = $1 AND user_id = $2', [
    clientId,
    userId,
  ])
  return verifyPassword(held?.hash, password)
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
