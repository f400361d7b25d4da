import type { Values } from '#kernel/forms/visible.ts'

/** How something that is sent is told of while it waits: in the words of whoever gave it. */
export interface RequestDescription {
  /** What it is: `Note`, `Outcome: No answer`, `Signature of Vic Stone`. */
  readonly what: string
  /** What it is of: `Alder Roofing`. */
  readonly of?: string | undefined
  /** What was typed, to read and to copy. */
  readonly text?: string | undefined
  /** The page that shows its record. */
  readonly at?: string | undefined
  /** The addresses of the records with which it is shown while it waits. */
  readonly about: readonly string[]
}

/** How a body names the record that another parcel makes, before there is one. */
export const madeBy = (key: string): string => `parcel:${key}`

/** The body with the addresses of what has been made meanwhile. */
export function withMade(body: Values, made: ReadonlyMap<string, string>): Values {
  const walk = (value: unknown): unknown =>
    typeof value === 'string'
      ? (made.get(value) ?? value)
      : Array.isArray(value)
        ? value.map(walk)
        : value !== null && typeof value === 'object'
          ? Object.fromEntries(Object.entries(value).map(([name, own]) => [name, walk(own)]))
          : value
  return walk(body) as Values
}

/** Why the portal did not take something. */
export interface Refusal {
  readonly status: number
  readonly why: string
}

/** Something typed, drawn or photographed that the portal does not have yet, kept on the device of whoever gave it. */
export interface QueuedRequest extends RequestDescription {
  /** It is sent under this Idempotency-Key, however often. */
  readonly key: string
  /** Whose it is, by `ownerOf`. */
  readonly owner: string
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly body: Values
  /** Goes along with the fields of the body as a form. */
  readonly file?: File | undefined
  /** Keys of parcels, given before it, whose records its body names as `madeBy(key)`: pictures that waited with it. */
  readonly parts?: readonly string[] | undefined
  /** What stood in the fields that it changes: where they say something else by then, it is not sent. */
  readonly base?: Values | undefined
  /** What the portal made of it is wanted by the screen that gave it: it stays until that has it. */
  readonly collect?: boolean | undefined
  /** When it was given, in ms since 1970. */
  readonly givenAt: number
  /** When it may have reached the portal for the first time, with no answer coming back. */
  readonly tried?: number | undefined
  /** The page that gave it is waiting for the answer. */
  readonly sending?: boolean | undefined
  readonly refused?: Refusal | undefined
  /** What the portal has made of it, where a screen is to collect that. */
  readonly arrived?: unknown
}

interface Failure {
  readonly status: number
  readonly code?: string | undefined
}

const LATER = new Set([0, 401, 408, 429, 502, 503, 504])

/** Has nothing been decided about what was sent, so that it is sent again later? */
export const isForLater = ({ status, code }: Failure): boolean =>
  LATER.has(status) || code === 'still_running' || code === 'changed_meanwhile'

/** Is it to be sent by itself? */
export const isQueued = (p: QueuedRequest): boolean => p.refused === undefined && p.arrived === undefined

/** As long as the portal is sure to know an Idempotency-Key again: it keeps them for a day. */
const KNOWN_MS = 23 * 3_600_000

/** Might it do something a second time, since the portal would not know it again? What is compared first does nothing twice. */
export const isDoubtful = ({ tried, base }: QueuedRequest, now: number): boolean =>
  tried !== undefined && base === undefined && now - tried > KNOWN_MS
