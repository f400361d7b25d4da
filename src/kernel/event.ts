import type { z } from 'zod'

/** An event, delivered to its handlers once it is committed. */
export interface EventType<Payload = unknown, Given = unknown> {
  readonly kind: string
  /** Increases when the structure of the payload changes. */
  readonly version: number
  readonly payload: z.ZodType<Payload, Given>
  /** Converts payloads of older versions, by version number. */
  readonly upgrade?: Readonly<Record<number, (older: unknown) => unknown>>
}

export const defineEvent = <Payload, Given>(event: EventType<Payload, Given>): EventType<Payload, Given> => event

/**
 * Converts a stored payload to the current version. Throws if this release does not know the version, or if the payload
 * does not match its schema.
 */
export function parseEventPayload<Payload>(event: EventType<Payload>, version: number, stored: unknown): Payload {
  if (version === event.version) return event.payload.parse(stored)
  const upgrade = event.upgrade?.[version]
  if (!upgrade)
    throw new Error(`This release of the portal does not support version ${version} of the event "${event.kind}".`)
  return event.payload.parse(upgrade(stored))
}
