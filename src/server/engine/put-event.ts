import type { Event } from '#kernel/event.ts'
import { prepare } from '#server/data/values.ts'
import type { Tx } from '#server/db/db.ts'
import type { Engine } from './engine.ts'

const PUT = prepare('INSERT INTO outbox (client_id, kind, version, payload) VALUES ($1, $2, $3, $4)')

/** Does any module listen to it? */
export const hasHandler = <Given>(engine: Engine, event: Event<unknown, Given>): boolean =>
  [...engine.listeners.values()].some((l) => l.event === event)

/**
 * Writes an event into the outbox, in the transaction of what has happened. Throws for an event that nobody listens to, and
 * for a payload that is not of its shape. Behaviour says `c.after`; in a transaction without a unit of work,
 * `engine.tell(new Set(['outbox']))` sets it going afterwards.
 */
export async function putEvent<Given>(
  engine: Engine,
  tx: Tx,
  clientId: number,
  event: Event<unknown, Given>,
  payload: NoInfer<Given>,
): Promise<void> {
  if (!hasHandler(engine, event)) throw new Error(`Nobody listens to "${event.kind}"`)
  await tx.arrays(PUT, [clientId, event.kind, event.version, JSON.stringify(event.payload.parse(payload))])
}
