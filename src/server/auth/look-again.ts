import { problem } from '#kernel/errors.ts'
import type { Actor } from '#kernel/roles.ts'
import type { Config } from '#server/config.ts'
import type { Tx } from '#server/db/db.ts'
import { readActor } from './person.ts'
import { evaluateProof, SESSION_PROOF_COLUMNS, type SessionProof } from './proof.ts'

/**
 * Reads the actor again from the database and locks the session until the transaction ends. Tokens are cached for a few
 * seconds in several processes; anything that outlasts the session must not rely on that cache. Expects a transaction
 * with access to all clients. Throws 401 if the session or the impersonation has ended.
 */
export async function reloadActor(tx: Tx, config: Pick<Config, 'secondFactor'>, actor: Actor): Promise<Actor> {
  if (!actor.session) return actor
  const real = actor.original ?? actor
  const [held] = await tx.rows<SessionProof>(
    `SELECT ${SESSION_PROOF_COLUMNS} FROM session s WHERE s.client_id = $1 AND s.id = $2 AND s.user_id = $3 AND s.expires_at > now()
       AND ($4::bigint IS NULL OR s.as_visit_id = $4) FOR SHARE OF s`,
    [real.clientId, actor.session.id, real.userId, actor.session.visit],
  )
  const now = held && (await readActor(tx, actor.clientId, actor.userId))
  if (!now) throw problem.sessionEnded()
  return { ...actor, roles: now.roles, scopes: now.scopes, proof: evaluateProof(config, real.clientId, held) }
}
