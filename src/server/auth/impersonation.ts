import { problem } from '#kernel/errors.ts'
import { type Actor, hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { Tx } from '#server/db/db.ts'

/** Minutes after which an impersonation must be started again. */
const VISIT_MINUTES = 30

export interface ImpersonatingSession {
  readonly clientId: number
  readonly sessionId: number
}

/** Details of an impersonation for the app shell. */
export interface ImpersonationInfo {
  readonly until: string
  readonly reason: string
  /** False for read-only impersonation. */
  readonly writes: boolean
}

/** True if this person may impersonate clients' users. Checked when an impersonation starts and on every renewal. */
export const canImpersonate = (person: Actor): boolean =>
  person.clientId === PROVIDER_CLIENT_ID && hasRole(person, 'ROLE_STAFF')

/** Seconds within which a repeated request is treated as a double click. */
const SAME_SECONDS = 10

/** True if the session has just started this impersonation for the same reason. */
async function isBegun(
  tx: Tx,
  { clientId, sessionId }: ImpersonatingSession,
  as: { readonly client_id: number; readonly id: number },
  reason: string,
): Promise<boolean> {
  const found = await tx.rows(
    `SELECT 1 FROM session s JOIN visit v ON v.client_id = s.as_client_id AND v.id = s.as_visit_id
     WHERE s.client_id = $1 AND s.id = $2 AND s.as_client_id = $3 AND s.as_user_id = $4 AND v.reason = $5 AND NOT s.as_writes
       AND v.ended_at IS NULL AND v.started_at > now() - make_interval(secs => $6)`,
    [clientId, sessionId, as.client_id, as.id, reason, SAME_SECONDS],
  )
  return found.length > 0
}

/**
 * Starts a read-only impersonation of a client's user, and logs it where the client can read it. Does nothing if the
 * session has just started the same impersonation. Throws 404 if the client has no such active user.
 */
export async function startImpersonation(
  tx: Tx,
  { clientId, sessionId }: ImpersonatingSession,
  real: Pick<Actor, 'clientId' | 'userId' | 'username' | 'name'>,
  target: { username: string; clientId: number },
  reason: string,
): Promise<void> {
  const [other] = await tx.rows<{ client_id: number; id: number; username: string }>(
    `SELECT u.client_id, u.id, u.username FROM user_account u JOIN client c ON c.id = u.client_id
     WHERE u.client_id = $1 AND lower(u.username) = lower($2) AND NOT u.is_retired AND NOT c.retired`,
    [target.clientId, target.username],
  )
  if (!other || other.client_id === PROVIDER_CLIENT_ID) throw problem.notFound('This client has no such user.')
  if (await isBegun(tx, { clientId, sessionId }, other, reason)) return
  await endImpersonation(tx, clientId, sessionId)
  const [v] = await tx.rows<{ id: number }>(
    `INSERT INTO visit (client_id, visitor_client_id, visitor_user_id, visitor_username, visitor_name, as_username, reason, until)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(mins => $8)) RETURNING id`,
    [other.client_id, real.clientId, real.userId, real.username, real.name, other.username, reason, VISIT_MINUTES],
  )
  await tx.rows(
    'UPDATE session SET as_client_id = $3, as_user_id = $4, as_until = now() + make_interval(mins => $5), as_reason = $6, as_visit_id = $7 WHERE client_id = $1 AND id = $2',
    [clientId, sessionId, other.client_id, other.id, VISIT_MINUTES, reason, v?.id],
  )
}

/** Allows changes during the impersonation; the client can read the first reason. The security log has every reason. */
export async function allowImpersonationWrites(
  tx: Tx,
  { clientId, sessionId }: ImpersonatingSession,
  reason: string,
): Promise<void> {
  await tx.rows(
    `UPDATE visit v SET writes_from = coalesce(v.writes_from, now()),
       write_reason = CASE WHEN v.writes_from IS NULL THEN $3 ELSE v.write_reason END FROM session s
     WHERE s.client_id = $1 AND s.id = $2 AND v.client_id = s.as_client_id AND v.id = s.as_visit_id`,
    [clientId, sessionId, reason],
  )
  await tx.rows('UPDATE session SET as_writes = true WHERE client_id = $1 AND id = $2 AND as_visit_id IS NOT NULL', [
    clientId,
    sessionId,
  ])
}

/** Ends a session's impersonation, if any, and revokes the tokens issued for it. */
export async function endImpersonation(tx: Tx, clientId: number, sessionId: number): Promise<void> {
  await tx.rows(
    `UPDATE visit v SET ended_at = least(now(), v.until) FROM session s WHERE s.client_id = $1 AND s.id = $2 AND v.client_id = s.as_client_id AND v.id = s.as_visit_id AND v.ended_at IS NULL`,
    [clientId, sessionId],
  )
  await tx.rows(
    'UPDATE session SET as_client_id = NULL, as_user_id = NULL, as_until = NULL, as_reason = NULL, as_visit_id = NULL, as_writes = false WHERE client_id = $1 AND id = $2',
    [clientId, sessionId],
  )
  await tx.rows('DELETE FROM access_token WHERE client_id = $1 AND session_id = $2 AND as_client_id IS NOT NULL', [
    clientId,
    sessionId,
  ])
}
