import type { z } from 'zod'

/** Something that has happened, told to whoever listens once it is committed. */
export interface Event<Payload = unknown, Given = unknown> {
  readonly kind: string
  /** Goes up when the payload changes its shape. */
  readonly version: number
  readonly payload: z.ZodType<Payload, Given>
  /** Makes this version's payload of an older one's, by the older version's number. */
  readonly upgrade?: Readonly<Record<number, (older: unknown) => unknown>>
}

export const defineEvent = <Payload, Given>(event: Event<Payload, Given>): Event<Payload, Given> => event

/**
 * A payload as it was stored, in the shape of today's version. Throws where it is of a version that this program does not
 * know, or not of the shape that it should have.
 */
export function readPayload<Payload>(event: Event<Payload>, version: number, stored: unknown): Payload {
  if (version === event.version) return event.payload.parse(stored)
  const upgrade = event.upgrade?.[version]
  if (!upgrade) throw new Error(`This program does not know version ${version} of "${event.kind}".`)
  return event.payload.parse(upgrade(stored))
}
