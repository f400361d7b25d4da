import type { Resource, RowOf, Verb } from '#kernel/resource.ts'
import type { Reference } from '#server/data/input.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { oneQuery } from '#server/data/queries.ts'
import { resolve } from '#server/data/references.ts'
import type { Context } from './context.ts'
import { NotAccessible } from './refusals.ts'
import { namesOthers, visible } from './seen.ts'
import { overClients } from './tenant.ts'
import { keepHeld, keepLocking } from './transaction.ts'

/**
 * A record, locked, within the actor's reach for the verb: rules about rows are part of the statement. Throws 404 for one beyond it;
 * `look` sees what the actor sees of it, and may refuse it.
 */
export function lockAccessible<R extends Resource>(
  unit: Context,
  r: R,
  verb: Verb,
  id: number,
  look?: (sent: ApiRecord) => void,
): Promise<RowOf<R>> {
  const locking = lock(unit, r, verb, id, look)
  keepLocking(unit.work, r, id, locking)
  return locking
}

async function lock<R extends Resource>(
  unit: Context,
  r: R,
  verb: Verb,
  id: number,
  look?: (sent: ApiRecord) => void,
): Promise<RowOf<R>> {
  const { actor, work } = unit
  const q = oneQuery(r, actor, verb, id, { lock: true, everything: true })
  const [found] = q ? await work.tx.arrays(q.query, q.values) : []
  if (!found || !q) throw new NotAccessible()
  if (look) {
    const seen = namesOthers(r) ? await overClients(unit, async (tx) => (await tx.arrays(q.query, q.values))[0]) : found
    look(visible(r, actor, q.plan.send(seen ?? found)))
  }
  return keepHeld(work, r, q.plan.row(found), found) as RowOf<R>
}

/**
 * What a body refers to, locked where it is the transaction's own. What is not, but can be read, is for whoever locks it to refuse in
 * words; what can't counts as unknown.
 */
export async function lockReference(unit: Context, ref: Reference): Promise<Record<string, number>> {
  try {
    const { id } = await lockAccessible(unit, ref.target, 'read', Number(ref.id))
    return { [ref.field]: id }
  } catch (e) {
    if (!(e instanceof NotAccessible)) throw e
    return resolve(unit.work.tx, unit.actor, [ref])
  }
}
