import type { Actor } from '#kernel/roles.ts'
import { reloadActor } from '#server/auth/look-again.ts'
import { requireAccessProof } from '#server/auth/proof.ts'
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
