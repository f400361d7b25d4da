import type { Tx } from '#server/db/db.ts'
import { createSecret, hashSecret } from './secret.ts'

/**
 * Seconds for which a used secret is still accepted, because another tab may send it, or the response with the next
 * secret may be lost.
 */
const GRACE_SECONDS = 20

/** A session as found by its secret. */
export interface RenewableSession {
  readonly client_id: number
  readonly id: number
  readonly user_id: number
  readonly as_client_id: number | null
  readonly as_user_id: number | null
  readonly as_visit_id: number | null
  readonly as_writes: boolean
  /** True if the impersonation has expired. */
  readonly over: boolean
  /** True if the secret was reused although the browser had received the next one, so that it has been copied. */
  readonly copied: boolean
  /** True if the secret was reused because the response with the next one was lost. */
  readonly lost: boolean
}

/**
 * Issues a further secret for the session, in place of the given one. Only the browser stores the secret itself; the
 * database stores its hash.
 */
export async function issueSessionSecret(
  tx: Tx,
  clientId: number,
  sessionId: number,
  former?: string,
): Promise<string> {
  const secret = createSecret()
  await tx.rows('INSERT INTO session_secret (client_id, session_id, hash, replaces) VALUES ($1, $2, $3, $4)', [
    clientId,
    sessionId,
    hashSecret(secret),
    former === undefined ? null : hashSecret(former),
  ])
  return secret
}

/**
 * Locks and returns the session that a secret belongs to; `undefined` if there is none. The first use invalidates the
 * secret and those issued to other tabs at the same time, because the browser has stored only this one. After the grace
 * period, a secret is accepted again only if none of those that replaced it was used: the response was lost, and the
 * secrets in it and all tokens of the session become invalid.
 */
export async function consumeSessionSecret(tx: Tx, secret: string): Promise<RenewableSession | undefined> {
  const hash = hashSecret(secret)
  const [found] = await tx.rows<RenewableSession & { fresh: boolean }>(
    `SELECT *, reused AND (is_revoked OR replaced) AS copied, reused AND NOT is_revoked AND NOT replaced AS lost FROM (
       SELECT s.client_id, s.id, s.user_id, s.as_client_id, s.as_user_id, s.as_visit_id, s.as_writes, coalesce(s.as_until < now(), false) AS over,
         k.used_at IS NULL AS fresh, coalesce(k.used_at < now() - make_interval(secs => $2), false) AS reused, k.is_revoked,
         EXISTS (SELECT FROM session_secret n WHERE n.client_id = k.client_id AND n.session_id = k.session_id AND n.replaces = k.hash
           AND n.used_at IS NOT NULL AND NOT n.is_revoked) AS replaced
       FROM session_secret k JOIN session s ON s.client_id = k.client_id AND s.id = k.session_id
       WHERE k.hash = $1 AND s.expires_at > now() FOR UPDATE OF k, s) found`,
    [hash, GRACE_SECONDS],
  )
  // No browser sends a secret that was lost on its way. If one does, the secret was not lost, so it has no grace
  // period.
  if (found?.fresh || found?.lost)
    await tx.rows(
      `UPDATE session_secret SET used_at = CASE WHEN $4 THEN '-infinity' ELSE now() END, is_revoked = hash <> $3
       WHERE client_id = $1 AND session_id = $2 AND used_at IS NULL`,
      [found.client_id, found.id, hash, found.lost],
    )
  if (found?.lost)
    await tx.rows('DELETE FROM access_token WHERE client_id = $1 AND session_id = $2', [found.client_id, found.id])
  return found
}

/** Returns the session that a secret belongs to, whether or not the secret has been used. */
export async function findSessionBySecret(
  tx: Tx,
  secret: string,
): Promise<{ client_id: number; session_id: number } | undefined> {
  const [found] = await tx.rows<{ client_id: number; session_id: number }>(
    'SELECT client_id, session_id FROM session_secret WHERE hash = $1',
    [hashSecret(secret)],
  )
  return found
}
