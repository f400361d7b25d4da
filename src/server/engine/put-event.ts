import type { Event } from '#kernel/event.ts'
import { prepare } from '#server/data/values.ts'
import type { Tx } from '#server/db/db.ts'
import { registryOf } from './registry.ts'
import type { Engine } from './types.ts'

const INSERT_EVENT = prepare('INSERT INTO outbox (client_id, kind, version, payload) VALUES ($1, $2, $3, $4)')

/**
 * Writes an event into the outbox, in the transaction of its cause. Throws for an event that has no handler, and for a payload that is not
 * of its shape. Behaviour calls `c.emit`; in a transaction without a unit of work, `engine.notifyCommit(new Set(['outbox']))` sets it going
 * afterwards.
 */
export async function putEvent<Given>(
  engine: Engine,
  tx: Tx,
  clientId: number,
  event: Event<unknown, Given>,
  payload: NoInfer<Given>,
): Promise<void> {
  if (!registryOf(engine).hasHandler(event)) throw new Error(`Nobody handles "${event.kind}"`)
  await tx.arrays(INSERT_EVENT, [clientId, event.kind, event.version, JSON.stringify(event.payload.parse(payload))])
}
