import { problem } from '#kernel/errors.ts'
import type { Actor } from '#kernel/roles.ts'
import { requireAccessProof } from '#server/auth/proof.ts'
import { reloadActor } from '#server/auth/read-actor.ts'
import { prepareSql } from '#server/data/values.ts'
import { readAcrossClients } from './tenant.ts'
import type { Context } from './types.ts'

/**
 * Returns the actor with current rights and proof of identity, and locks the session until the commit. For changes that
 * outlast a session, such as to accounts and rights. An actor without a session, such as the portal itself, is returned
 * unchanged. Throws 401 if the session has ended.
 */
export const readCurrentActor = async (c: Context): Promise<Actor> =>
  c.actor.session ? readAcrossClients(c, (tx) => reloadActor(tx, c.engine.config, c.actor)) : c.actor

/**
 * Throws 403 `proof_required` unless the actor has just proved their identity. For resources that declare `asksProof`.
 */
export const requireCurrentProof = async (c: Context): Promise<void> => requireAccessProof(await readCurrentActor(c))

const ACCOUNT = prepareSql(
  'SELECT name, roles FROM user_account WHERE client_id = $1::int AND id = $2::bigint AND NOT is_retired',
)

/**
 * Throws unless the actor's stored account matches their token: 401 if the account is retired, 409 if its name or roles
 * have changed. Does nothing for actors without a session and in other clients. For signatures and sealed events, which
 * name a person permanently. Unlike `readCurrentActor`, locks nothing and is sent with other queries.
 */
export const requireCurrentAccount = (c: Context): Promise<void> =>
  c.once('current account', async () => {
    const { clientId, userId, name, roles, session } = c.actor
    if (!session || clientId !== c.clientId) return
    const [account] = await c.work.tx.arrays(ACCOUNT, [clientId, userId])
    const stored = account?.[1] as readonly string[] | undefined
    if (account?.[0] === name && stored?.length === roles.length && stored.every((role) => roles.includes(role))) return
    c.engine.sessions.forgetPerson({ clientId, userId })
    throw stored ? problem.conflict('Your account has just been changed. Please try again.') : problem.sessionEnded()
  })
