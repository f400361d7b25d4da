import { type Event, readPayload } from '#kernel/event.ts'
import type { Context } from './context.ts'
import type { Engine } from './engine.ts'
import type { Module } from './module.ts'
import type { QueueName } from './queues.ts'

/** What a listener knows that acts outside the database. */
export interface OutsideContext {
  readonly engine: Engine
  readonly clientId: number
  /** The event's own number, the same at every try. */
  readonly id: number
}

interface NamedHandler {
  /** Unique among all listeners: jobs that wait carry it. */
  readonly name: string
  readonly queue: QueueName
}

/** `run` happens in a transaction of the event's client, together with the note that it is done: once, whatever breaks down. */
interface TransactionHandler<P> extends NamedHandler {
  /** In whose transaction it happens, where that is not the event's client. */
  readonly inClient?: number
  readonly run: (c: Context, payload: P) => Promise<void> | void
}
/** `send` happens outside the database: once, or again where the process died in the middle of it. */
interface OutsideHandler<P> extends NamedHandler {
  readonly send: (to: OutsideContext, payload: P) => Promise<void>
}

/** Somebody who is told of every event of a kind. */
export interface EventHandler extends NamedHandler {
  readonly event: Event
  readonly inClient?: number
  readonly run?: (c: Context, version: number, stored: unknown) => Promise<void> | void
  readonly send?: (to: OutsideContext, version: number, stored: unknown) => Promise<void>
}

export function eventHandler<P>(event: Event<P>, l: TransactionHandler<P> | OutsideHandler<P>): EventHandler {
  const named = { event, name: l.name, queue: l.queue }
  return 'run' in l
    ? {
        ...named,
        ...(l.inClient === undefined ? {} : { inClient: l.inClient }),
        run: (c, version, stored) => l.run(c, readPayload(event, version, stored)),
      }
    : { ...named, send: (to, version, stored) => l.send(to, readPayload(event, version, stored)) }
}

/** All listeners of the modules, by name. Throws for two of one name, and for two events of one kind. */
export function handlersOf(modules: readonly Module[]): ReadonlyMap<string, EventHandler> {
  const found = new Map<string, EventHandler>()
  const events = new Map<string, Event>()
  for (const l of modules.flatMap((module) => [
    ...(module.handlers ?? []),
    ...(module.batchJobs ?? []).map((r) => r.listener),
  ])) {
    if (found.has(l.name)) throw new Error(`Two listeners are called "${l.name}"`)
    if ((events.get(l.event.kind) ?? l.event) !== l.event) throw new Error(`Two events are called "${l.event.kind}"`)
    found.set(l.name, l)
    events.set(l.event.kind, l.event)
  }
  return found
}
