import { problem } from '#kernel/errors.ts'
import type { Actor } from '#kernel/roles.ts'
import { reloadActor } from '#server/auth/look-again.ts'
import { requireAccessProof } from '#server/auth/proof.ts'
import { prepare } from '#server/data/values.ts'
import { bindIdentitySql, type Tx } from '#server/db/db.ts'
import type { Context } from './types.ts'
import { createUnitContext } from './unit-of-work.ts'

/**
 * Runs part of a transaction in another tenant, whose rows alone it reads and writes: for work across clients that is
 * committed together. Its writes are sent before the transaction continues in its own tenant.
 */
export async function inTenantOf<T>(c: Context, clientId: number, inside: (c: Context) => Promise<T>): Promise<T> {
  if (clientId === c.clientId) return inside(c)
  const { tx } = c.work
  const bound = (to: number) => bindIdentitySql({ clientId: to, userId: c.actor.userId }, c.engine.db.time.ahead)
  await c.work.flush()
  await tx.script(bound(clientId))
  const work = c.work.inTenant(clientId)
  const { actor, now, engine, query } = c
  const value = await inside(createUnitContext({ actor, now, engine, query, clientId, work }))
  await work.flush()
  for (const table of work.touched) c.work.touched.add(table)
  c.work.securityNotes.push(...work.securityNotes)
  await tx.script(bound(c.clientId))
  return value
}

/**
 * Runs part of this transaction as the database's owner, for what no client may do, such as maintaining a register's
 * indexes.
 */
export const runAsOwner = <T>(c: Context, inside: (tx: Tx) => Promise<T>): Promise<T> => asRole(c, 'owner', inside)

/** Reads all clients within this transaction, such as to check whether a username is taken. */
export const readAllClients = <T>(c: Context, inside: (tx: Tx) => Promise<T>): Promise<T> => asRole(c, 'system', inside)

/** Leaves the tenant until the transaction ends, to create a record without one, such as a new client. */
export const leaveTenant = ({ work }: Pick<Context, 'work'>): Promise<unknown> =>
  work.tx.rows('SET LOCAL ROLE stanchion_system')

/** Switches to another role temporarily. Collected writes are sent before. */
async function asRole<T>(c: Context, role: 'owner' | 'system', inside: (tx: Tx) => Promise<T>): Promise<T> {
  const { tx } = c.work
  const { ahead } = c.engine.db.time
  await c.work.flush()
  await tx.script(bindIdentitySql(role, ahead))
  const value = await inside(tx)
  await tx.script(bindIdentitySql({ clientId: c.clientId, userId: c.actor.userId }, ahead))
  return value
}

/**
 * Returns the actor with current rights and proof of identity, and locks the session until the commit. For changes that
 * outlast a session, such as to accounts and rights. The portal's own work has no session. Throws 401 if the session
 * has ended.
 */
export const readActorNow = async (c: Context): Promise<Actor> =>
  c.actor.session ? readAllClients(c, (tx) => reloadActor(tx, c.engine.config, c.actor)) : c.actor

/** Throws 403 `proof_required` unless the actor has just proved their identity: for resources that declare `asksProof`. */
export const requireProofNow = async (c: Context): Promise<void> => requireAccessProof(await readActorNow(c))

const ACCOUNT = prepare(
  'SELECT name, roles FROM user_account WHERE client_id = $1::int AND id = $2::bigint AND NOT is_retired',
)

/**
 * Throws unless the actor's stored account matches their token: 401 if retired, 409 if the name or roles have changed.
 * For signatures and sealed events, which name a person permanently. Locks nothing, unlike `readActorNow`, and is sent
 * with other queries.
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
