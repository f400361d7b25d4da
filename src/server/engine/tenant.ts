import type { Actor } from '#kernel/roles.ts'
import { reloadActor } from '#server/auth/look-again.ts'
import { requireAccessProof } from '#server/auth/proof.ts'
import { bind, type Tx } from '#server/db/db.ts'
import type { Context } from './types.ts'
import { contextOf } from './unit-of-work.ts'

/**
 * Does a part of a transaction in another tenant, and reads and writes its rows alone: for work over many clients that is committed as one.
 * Its writes are sent before the transaction goes on in its own tenant.
 */
export async function inTenantOf<T>(c: Context, clientId: number, inside: (c: Context) => Promise<T>): Promise<T> {
  if (clientId === c.clientId) return inside(c)
  const { tx } = c.work
  const bound = (to: number) => bind({ clientId: to, userId: c.actor.userId }, c.engine.db.time.ahead)
  await c.work.flush()
  await tx.script(bound(clientId))
  const work = c.work.inTenant(clientId)
  const { actor, now, engine, query } = c
  const value = await inside(contextOf({ actor, now, engine, query, clientId, work }))
  await work.flush()
  for (const table of work.touched) c.work.touched.add(table)
  c.work.securityNotes.push(...work.securityNotes)
  await tx.script(bound(c.clientId))
  return value
}

/** Works within this transaction as the database's owner: for what no client may do, such as a register's indexes. */
export const asOwner = <T>(c: Context, inside: (tx: Tx) => Promise<T>): Promise<T> => asRole(c, 'owner', inside)

/** Reads all clients within this transaction: for questions about the whole portal, such as whether a username is taken. */
export const overClients = <T>(c: Context, inside: (tx: Tx) => Promise<T>): Promise<T> => asRole(c, 'system', inside)

/** Leaves the tenant until the transaction ends: for a record of none yet, such as a new client. */
export const leaveTenant = ({ work }: Pick<Context, 'work'>): Promise<unknown> =>
  work.tx.rows('SET LOCAL ROLE stanchion_system')

/** Takes on another role for a while. Collected writes are sent before it. */
async function asRole<T>(c: Context, role: 'owner' | 'system', inside: (tx: Tx) => Promise<T>): Promise<T> {
  const { tx } = c.work
  const { ahead } = c.engine.db.time
  await c.work.flush()
  await tx.script(bind(role, ahead))
  const value = await inside(tx)
  await tx.script(bind({ clientId: c.clientId, userId: c.actor.userId }, ahead))
  return value
}

/**
 * The actor with their rights and proof of this moment; their session can't end before this is committed. For what outlasts a session, as
 * accounts and rights do. The portal's own work has no session. Throws 401 where the session is over.
 */
export const readActorNow = async (c: Context): Promise<Actor> =>
  c.actor.session ? overClients(c, (tx) => reloadActor(tx, c.engine.config, c.actor)) : c.actor

/** Throws 403 `proof_required` unless the actor has just proved their identity: for resources that declare `asksProof`. */
export const requireProofNow = async (c: Context): Promise<void> => requireAccessProof(await readActorNow(c))
