import type { Actor } from '#kernel/roles.ts'
import { lookAgain } from '#server/auth/look-again.ts'
import { requireProof } from '#server/auth/proof.ts'
import { overClients } from './tenant.ts'
import type { Context } from './types.ts'

/**
 * Who acts, with the rights and the proof of this moment, and their session kept from ending until this is committed: for what
 * outlasts a session, as accounts and rights do. The portal's own work has no session. Throws 401 where theirs is over.
 */
export const readActorNow = async (c: Context): Promise<Actor> =>
  c.actor.session ? overClients(c, (tx) => lookAgain(tx, c.engine.config, c.actor)) : c.actor

/** Throws 403 `proof_required` unless whoever acts has proved just now who they are: for what `asksProof` says of a resource. */
export const requireProofNow = async (c: Context): Promise<void> => requireProof(await readActorNow(c))
