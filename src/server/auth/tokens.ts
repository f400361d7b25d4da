import { isoUtcSql } from '#server/db/columns.ts'
import type { Tx } from '#server/db/db.ts'
import type { ImpersonatingSession } from './impersonation.ts'
import { SESSION_PROOF_COLUMNS, type SessionProof } from './proof.ts'
import { createSecret, hashSecret } from './secret.ts'

/** Columns of a session that identify the actor. */
export interface SessionActorRow {
  readonly client_id: number
  readonly user_id: number
  readonly as_client_id: number | null
  readonly as_user_id: number | null
  readonly as_visit_id: number | null
  readonly as_writes: boolean
}

export interface ValidToken extends SessionActorRow, SessionProof {
  readonly session_id: number
  readonly visitUntil: string
  readonly visitReason: string
  /** Milliseconds until the token, its session or its impersonation ends, whichever is first. */
  readonly left: number
  /** True if the token is due to be extended. */
  readonly idle: boolean
}

/**
 * SQL condition for a valid token. A token issued during an impersonation is valid only while its session is in that
 * impersonation.
 */
const GOOD = `a.expires_at > now() AND s.expires_at > now() AND (a.as_until IS NULL OR a.as_until > now())
  AND (a.as_client_id IS NULL OR a.as_visit_id = s.as_visit_id)`

const TOKEN = `SELECT a.client_id, a.session_id, s.user_id, a.as_client_id, a.as_user_id, a.as_visit_id, s.as_writes,
    ${isoUtcSql('s.as_until')} AS "visitUntil", s.as_reason AS "visitReason",
    ${SESSION_PROOF_COLUMNS},
    extract(epoch FROM least(a.expires_at, a.as_until, s.expires_at) - now())::float8 * 1000 AS left,
    s.seen_at < now() - interval '1 minute' OR a.expires_at < least(now() + make_interval(mins => $2) - interval '1 minute', a.as_until, s.ends_at) AS idle
  FROM access_token a JOIN session s ON s.client_id = a.client_id AND s.id = a.session_id
  WHERE a.hash = $1 AND ${GOOD}`

/**
 * Returns a valid token with its session; `undefined` if the token is unknown or no longer valid. `minutes`: lifetime
 * of an unused token.
 */
export async function findToken(tx: Tx, hash: string, minutes: number): Promise<ValidToken | undefined> {
  const [token] = await tx.rows<ValidToken>(TOKEN, [hash, minutes])
  return token
}

/**
 * Returns a valid token, with its session locked until the transaction ends; `undefined` if the token is unknown or no
 * longer valid. The result reflects any concurrent change.
 */
export async function lockToken(tx: Tx, hash: string, minutes: number): Promise<ValidToken | undefined> {
  const locked = await tx.rows(
    `SELECT 1 FROM access_token a JOIN session s ON s.client_id = a.client_id AND s.id = a.session_id
     WHERE a.hash = $1 AND ${GOOD} FOR UPDATE OF s`,
    [hash],
  )
  return locked.length ? findToken(tx, hash, minutes) : undefined
}

/** Issues a further token for a session, including its current impersonation. */
export async function issueToken(
  tx: Tx,
  { clientId, sessionId }: ImpersonatingSession,
  minutes: number,
): Promise<{ readonly token: string; readonly expiresIn: number }> {
  const token = createSecret()
  const [given] = await tx.rows<{ seconds: number }>(
    `INSERT INTO access_token (hash, client_id, session_id, as_client_id, as_user_id, as_visit_id, as_until, expires_at)
     SELECT $1, client_id, id, as_client_id, as_user_id, as_visit_id, as_until, least(now() + make_interval(mins => $4), as_until, ends_at)
     FROM session WHERE client_id = $2 AND id = $3
     RETURNING extract(epoch FROM expires_at - now())::int AS seconds`,
    [hashSecret(token), clientId, sessionId, minutes],
  )
  return { token, expiresIn: given?.seconds ?? 0 }
}

/** Extends a token that is in use, at most until its impersonation ends. */
export const extendToken = (tx: Tx, hash: string, minutes: number): Promise<unknown> =>
  tx.rows('UPDATE access_token SET expires_at = least(now() + make_interval(mins => $2), as_until) WHERE hash = $1', [
    hash,
    minutes,
  ])
