import type { Tx } from '#server/db/db.ts'
import { digest, newSecret } from './secret.ts'

/** Seconds in which a secret may come again: other tabs, and answers that got lost on their way. */
const GRACE_SECONDS = 20

/** A session as the holder of its secret finds it. */
export interface Renewed {
  readonly client_id: number
  readonly id: number
  readonly user_id: number
  readonly as_client_id: number | null
  readonly as_user_id: number | null
  readonly as_writes: boolean
  /** The visit's time is up. */
  readonly over: boolean
  /** The secret was used before, and not just now: somebody has a copy of it. */
  readonly copied: boolean
}

/** Gives the session a further secret; the browser keeps it and nobody else. */
export async function giveSecret(tx: Tx, clientId: number, sessionId: number): Promise<string> {
  const secret = newSecret()
  await tx.rows('INSERT INTO session_secret (client_id, session_id, hash) VALUES ($1, $2, $3)', [
    clientId,
    sessionId,
    digest(secret),
  ])
  return secret
}

/**
 * The session that a secret renews, locked. With the first use the secret is used up, and so are its siblings: those that were
 * given to other tabs at the same time, of which the browser has kept this one.
 */
export async function useSecret(tx: Tx, secret: string): Promise<Renewed | undefined> {
  const [found] = await tx.rows<Renewed & { fresh: boolean }>(
    `SELECT s.client_id, s.id, s.user_id, s.as_client_id, s.as_user_id, s.as_writes, coalesce(s.as_until < now(), false) AS over,
       k.used_at IS NULL AS fresh, coalesce(k.used_at < now() - make_interval(secs => $2), false) AS copied
     FROM session_secret k JOIN session s ON s.client_id = k.client_id AND s.id = k.session_id
     WHERE k.hash = $1 AND s.expires_at > now() FOR UPDATE OF k, s`,
    [digest(secret), GRACE_SECONDS],
  )
  if (found?.fresh)
    await tx.rows(
      'UPDATE session_secret SET used_at = now() WHERE client_id = $1 AND session_id = $2 AND used_at IS NULL',
      [found.client_id, found.id],
    )
  return found
}

/** Whose session a secret is of, used or not. */
export async function sessionOf(
  tx: Tx,
  secret: string,
): Promise<{ client_id: number; session_id: number } | undefined> {
  const [found] = await tx.rows<{ client_id: number; session_id: number }>(
    'SELECT client_id, session_id FROM session_secret WHERE hash = $1',
    [digest(secret)],
  )
  return found
}
