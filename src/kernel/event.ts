import type { z } from 'zod'

/** Type of event. An event is delivered to its handlers once its transaction is committed. */
export interface EventType<Payload = unknown, Given = unknown> {
  readonly kind: string
  /** Version of the payload's structure, increased with every change. */
  readonly version: number
  readonly payload: z.ZodType<Payload, Given>
  /** Functions that convert payloads from older versions, by version number. */
  readonly upgrade?: Readonly<Record<number, (older: unknown) => unknown>>
}

export const defineEvent = <Payload, Given>(event: EventType<Payload, Given>): EventType<Payload, Given> => event

/**
 * Converts a stored payload to the current version. Throws if this release does not know the version or if the payload
 * does not match the schema.
 */
export function parseEventPayload<Payload>(event: EventType<Payload>, version: number, stored: unknown): Payload {
  if (version === event.version) return event.payload.parse(stored)
  const upgrade = event.upgrade?.[version]
  if (!upgrade)
    throw new Error(`This release of the portal does not support version ${version} of the event "${event.kind}".`)
  return event.payload.parse(upgrade(stored))
}
