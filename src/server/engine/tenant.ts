import { bindIdentitySql, type Tx } from '#server/db/db.ts'
import { runBeforeCommit } from './registry.ts'
import type { Context } from './types.ts'
import { createUnitContext } from './unit-of-work.ts'

/**
 * Runs part of a transaction in another tenant, reading and writing only that tenant's rows. For work across clients
 * that must be committed together. Writes in the other tenant are sent before the transaction continues in its own
 * tenant.
 */
export async function runInTenant<T>(c: Context, clientId: number, inside: (c: Context) => Promise<T>): Promise<T> {
  if (clientId === c.clientId) return inside(c)
  const { tx } = c.work
  const bound = (to: number) => bindIdentitySql({ clientId: to, userId: c.actor.userId }, c.engine.db.time.ahead)
  await c.work.flush()
  await tx.script(bound(clientId))
  const work = c.work.inTenant(clientId)
  const { actor, now, engine, query } = c
  const other = createUnitContext({ actor, now, engine, query, clientId, work })
  const value = await inside(other)
  await runBeforeCommit(other)
  await work.flush()
  for (const table of work.touched) c.work.touched.add(table)
  c.work.securityNotes.push(...work.securityNotes)
  await tx.script(bound(c.clientId))
  return value
}

/**
 * Runs part of this transaction as the database's owner, for work that no client may do, such as maintaining a
 * register's indexes.
 */
export const runAsOwner = <T>(c: Context, inside: (tx: Tx) => Promise<T>): Promise<T> => asRole(c, 'owner', inside)

/** Reads all clients within this transaction, for example to check whether a username is taken. */
export const readAcrossClients = <T>(c: Context, inside: (tx: Tx) => Promise<T>): Promise<T> =>
  asRole(c, 'system', inside)

/** Leaves the tenant until the transaction ends, to create a record that belongs to no tenant, such as a new client. */
export const leaveTenant = ({ work }: Pick<Context, 'work'>): Promise<unknown> =>
  work.tx.rows('SET LOCAL ROLE stanchion_system')

/** Switches to another role temporarily, after sending collected writes. */
async function asRole<T>(c: Context, role: 'owner' | 'system', inside: (tx: Tx) => Promise<T>): Promise<T> {
  const { tx } = c.work
  const { ahead } = c.engine.db.time
  await c.work.flush()
  await tx.script(bindIdentitySql(role, ahead))
  const value = await inside(tx)
  await tx.script(bindIdentitySql({ clientId: c.clientId, userId: c.actor.userId }, ahead))
  return value
}
