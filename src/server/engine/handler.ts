import { type EventType, parseEventPayload } from '#kernel/event.ts'
import type { QueueName } from './queues.ts'
import type { Context, Engine } from './types.ts'

/** Context of a handler that works outside the database. */
export interface ExternalHandlerContext {
  readonly engine: Engine
  readonly clientId: number
  /** The event's ID, the same for every attempt. */
  readonly id: number
}

interface NamedHandler {
  /** Name of the handler, unique among all handlers because queued jobs refer to it. */
  readonly name: string
  readonly queue: QueueName
}

/**
 * Handler whose `run` is called in a transaction of the event's client. The transaction also marks the event as
 * handled, so the event is handled exactly once.
 */
interface TransactionHandler<P> extends NamedHandler {
  /** Client of the transaction, if different from the event's. */
  readonly inClient?: number
  readonly run: (c: Context, payload: P) => Promise<void> | void
}
/**
 * Handler whose `send` works outside the database. `send` is called once, and again if the process died during the
 * call.
 */
interface OutsideHandler<P> extends NamedHandler {
  readonly send: (to: ExternalHandlerContext, payload: P) => Promise<void>
}

export interface EventHandler extends NamedHandler {
  readonly event: EventType
  readonly inClient?: number
  readonly run?: (c: Context, version: number, stored: unknown) => Promise<void> | void
  readonly send?: (to: ExternalHandlerContext, version: number, stored: unknown) => Promise<void>
}

export function eventHandler<P>(event: EventType<P>, l: TransactionHandler<P> | OutsideHandler<P>): EventHandler {
  const named = { event, name: l.name, queue: l.queue }
  return 'run' in l
    ? {
        ...named,
        ...(l.inClient === undefined ? {} : { inClient: l.inClient }),
        run: (c, version, stored) => l.run(c, parseEventPayload(event, version, stored)),
      }
    : { ...named, send: (to, version, stored) => l.send(to, parseEventPayload(event, version, stored)) }
}
