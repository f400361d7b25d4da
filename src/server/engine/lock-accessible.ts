import type { AccessVerb, Resource, RowOf } from '#kernel/resource.ts'
import { findReferencedIds, hideUnreadableReferences } from '#server/data/access-sql.ts'
import type { RelationReference } from '#server/data/input.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { selectLocked } from '#server/data/locking.ts'
import { recordByIdQuery } from '#server/data/queries.ts'
import { hasRelationsToOtherClients, hideInaccessibleFields } from './field-access.ts'
import { RecordNotAccessibleProblem } from './refusals.ts'
import { readAcrossClients } from './tenant.ts'
import type { Context } from './types.ts'

/**
 * Locks a record that the actor may access for the verb. The SQL statement includes the access conditions. Throws 404
 * for any other record. `look` receives the record as the actor sees it, and may reject it.
 */
export function lockAccessibleRecord<R extends Resource>(
  unit: Context,
  r: R,
  verb: AccessVerb,
  id: number,
  look?: (sent: ApiRecord) => void,
): Promise<RowOf<R>> {
  const locking = lock(unit, r, verb, id, look)
  unit.work.locked.addPending(r, id, locking)
  return locking
}

async function lock<R extends Resource>(
  unit: Context,
  r: R,
  verb: AccessVerb,
  id: number,
  look?: (sent: ApiRecord) => void,
): Promise<RowOf<R>> {
  const { actor, work } = unit
  // Records of an append-only table never change, and the database refuses to lock them.
  const q = recordByIdQuery(r, actor, verb, id, { lock: !r.appendOnly, everything: true })
  const [found] = q ? await selectLocked(work.tx, q, q.values) : []
  if (!found || !q) throw new RecordNotAccessibleProblem()
  if (look) {
    const seen = hasRelationsToOtherClients(r)
      ? await readAcrossClients(unit, async (tx) => (await tx.arrays(q.query, q.values))[0])
      : found
    const shown = q.plan.hideable.length
      ? await readAcrossClients(unit, (tx) => hideUnreadableReferences(tx, actor, q.plan, [seen ?? found]))
      : [seen ?? found]
    for (const row of shown) look(hideInaccessibleFields(r, actor, q.plan.send(row)))
  }
  return work.locked.add(r, q.plan.row(found), found) as RowOf<R>
}

/**
 * Locks a referenced record of the transaction's own tenant. A record that the actor can only read is not locked; the
 * behaviour decides whether the reference is allowed. Throws 400 for a record that the actor can't read.
 */
export async function lockReferencedRecord(unit: Context, ref: RelationReference): Promise<Record<string, number>> {
  try {
    const { id } = await lockAccessibleRecord(unit, ref.target, 'read', Number(ref.id))
    return { [ref.field]: id }
  } catch (e) {
    if (!(e instanceof RecordNotAccessibleProblem)) throw e
    return findReferencedIds(unit.work.tx, unit.actor, [ref])
  }
}
