import { problem } from '#kernel/errors.ts'
import type { Actor } from '#kernel/roles.ts'
import { reloadActor } from '#server/auth/look-again.ts'
import { requireAccessProof } from '#server/auth/proof.ts'
import { prepare } from '#server/data/values.ts'
import { overClients } from './tenant.ts'
import type { Context } from './types.ts'

/**
 * The actor with their rights and proof of this moment; their session can't end before this is committed. For what outlasts a session, as
 * accounts and rights do. The portal's own work has no session. Throws 401 where the session is over.
 */
export const readActorNow = async (c: Context): Promise<Actor> =>
  c.actor.session ? overClients(c, (tx) => reloadActor(tx, c.engine.config, c.actor)) : c.actor

/** Throws 403 `proof_required` unless the actor has just proved their identity: for resources that declare `asksProof`. */
export const requireProofNow = async (c: Context): Promise<void> => requireAccessProof(await readActorNow(c))

const ACCOUNT = prepare(
  'SELECT name, roles FROM user_account WHERE client_id = $1::int AND id = $2::bigint AND NOT is_retired',
)

/**
 * Throws unless the actor's stored account is as their token says: 401 for a retired user, 409 for one whose name or roles have changed.
 * For signatures and sealed events, which name a person for good. Locks nothing, unlike `readActorNow`, and is sent with other queries.
 */
export const requireCurrentAccount = (c: Context): Promise<void> =>
  c.once('current account', async () => {
    const { clientId, userId, name, roles, session } = c.actor
    if (!session || clientId !== c.clientId) return
    const [account] = await c.work.tx.arrays(ACCOUNT, [clientId, userId])
    const held = account?.[1] as readonly string[] | undefined
    if (account?.[0] === name && held?.length === roles.length && held.every((role) => roles.includes(role))) return
    c.engine.sessions.forgetPerson({ clientId, userId })
    throw held ? problem.conflict('Your account has just been changed. Please try again.') : problem.sessionEnded()
  })
