import type { Values } from '#kernel/forms/visible.ts'

/** A queued request, described for the person who made it. */
export interface RequestDescription {
  /** `Note`, `Outcome: No answer`, `Signature of Vic Stone` */
  readonly what: string
  /** The record: `Alder Roofing`. */
  readonly of?: string | undefined
  /** The typed text, to read and to copy. */
  readonly text?: string | undefined
  /** The page of the record. */
  readonly at?: string | undefined
  /** Addresses of the records that show it while it is queued. */
  readonly about: readonly string[]
}

export interface RequestRefusal {
  readonly status: number
  readonly why: string
}

/**
 * A request that the server has not answered yet, stored on the device of the person who made it. Its shape must stay
 * compatible: devices hold old ones.
 */
export interface QueuedRequest extends RequestDescription {
  /** The Idempotency-Key of the request, however often it is sent. */
  readonly key: string
  /** The owner's key, from `ownerKeyOf`. */
  readonly owner: string
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly body: Values
  /** A file, sent as a form with the fields of the body. */
  readonly file?: File | undefined
  /** Keys of earlier requests whose records the body names by `placeholderFor(key)`, such as queued pictures. */
  readonly parts?: readonly string[] | undefined
  /** The former values of the changed fields: the request is refused where somebody else has changed them since. */
  readonly base?: Values | undefined
  /**
   * The screen that made the request needs the answer: the request stays in the queue until the answer is collected.
   */
  readonly collect?: boolean | undefined
  /** When the request was made, in ms since 1970. */
  readonly givenAt: number
  /** When it may first have reached the server without an answer. */
  readonly tried?: number | undefined
  /** Whether its page is waiting for the answer. */
  readonly sending?: boolean | undefined
  readonly refused?: RequestRefusal | undefined
  /** The server's answer, until it is collected. */
  readonly arrived?: unknown
}

/** The placeholder in a body for the record that another queued request creates. Stored bodies contain it. */
export const placeholderFor = (key: string): string => `parcel:${key}`

/** Replaces placeholders in a body with the addresses of the created records. */
export function fillPlaceholders(body: Values, addresses: ReadonlyMap<string, string>): Values {
  const fill = (value: unknown): unknown =>
    typeof value === 'string'
      ? (addresses.get(value) ?? value)
      : Array.isArray(value)
        ? value.map(fill)
        : value !== null && typeof value === 'object'
          ? Object.fromEntries(Object.entries(value).map(([name, own]) => [name, fill(own)]))
          : value
  return fill(body) as Values
}

const RETRYABLE_STATUSES = new Set([0, 401, 408, 429, 502, 503, 504])

/** Has the server decided nothing, so that the request is to be sent again later? */
export const isRetryable = ({
  status,
  code,
}: {
  readonly status: number
  readonly code?: string | undefined
}): boolean => RETRYABLE_STATUSES.has(status) || code === 'still_running' || code === 'changed_meanwhile'

/** Neither refused nor answered yet. */
export const isQueued = (request: QueuedRequest): boolean =>
  request.refused === undefined && request.arrived === undefined

/** The server remembers an Idempotency-Key for a day. */
const KEY_REMEMBERED_MS = 23 * 3_600_000

/**
 * Might sending it again repeat its effect, as the server has forgotten its key? Requests with a `base` are safe to
 * repeat.
 */
export const isUnsafeToRepeat = ({ tried, base }: QueuedRequest, now: number): boolean =>
  tried !== undefined && base === undefined && now - tried > KEY_REMEMBERED_MS
