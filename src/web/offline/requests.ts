import type { Values } from '#kernel/forms/visible.ts'

/** A queued request, described for the person who made it. */
export interface RequestDescription {
  /** Label of the request: `Note`, `Outcome: No answer`, `Signature of Vic Stone` */
  readonly what: string
  /** Title of the record: `Alder Roofing`. */
  readonly of?: string | undefined
  /** The typed text, for reading and copying. */
  readonly text?: string | undefined
  /** The page of the record. */
  readonly at?: string | undefined
  /** Addresses of the records that show the request while it is queued. */
  readonly about: readonly string[]
}

export interface RequestRejection {
  readonly status: number
  readonly why: string
}

/**
 * A request without a response so far, stored on the device of the person who made it. Its shape must stay compatible,
 * as devices still have old ones.
 */
export interface QueuedRequest extends RequestDescription {
  /** The Idempotency-Key of the request; the same for every attempt. */
  readonly key: string
  /** The owner's key, from `ownerKeyOf`. */
  readonly owner: string
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly body: Values
  /** A file, sent as a form with the fields of the body. */
  readonly file?: File | undefined
  /**
   * Keys of earlier requests, such as queued pictures. The body refers to the records they create by
   * `placeholderForRequest(key)`.
   */
  readonly parts?: readonly string[] | undefined
  /** The former values of the changed fields: the request is rejected if somebody else has changed them since. */
  readonly base?: Values | undefined
  /**
   * Whether the screen that made the request needs the response: the request then stays in the queue until the response
   * is collected.
   */
  readonly collect?: boolean | undefined
  /** When the request was made, in ms since 1970. */
  readonly givenAt: number
  /** When an attempt without a response may first have reached the server, in ms since 1970. */
  readonly tried?: number | undefined
  /** Whether its page is waiting for the response. */
  readonly sending?: boolean | undefined
  readonly refused?: RequestRejection | undefined
  /** The server's response, until it is collected. */
  readonly arrived?: unknown
}

/** The placeholder in a body for the record that another queued request creates. Stored bodies contain it. */
export const placeholderForRequest = (key: string): string => `parcel:${key}`

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

/** Whether the server has decided nothing, so that the request has to be sent again later. */
export const isRetryableResponse = ({
  status,
  code,
}: {
  readonly status: number
  readonly code?: string | undefined
}): boolean => RETRYABLE_STATUSES.has(status) || code === 'still_running' || code === 'changed_meanwhile'

/** Whether the request has neither been rejected nor received a response. */
export const isAwaitingDelivery = (request: QueuedRequest): boolean =>
  request.refused === undefined && request.arrived === undefined

/** The server stores an Idempotency-Key for a day; an hour is left as a margin. */
const KEY_REMEMBERED_MS = 23 * 3_600_000

/**
 * Whether another attempt might repeat the effect, because the server no longer stores the key. Requests with a `base`
 * are safe to repeat.
 */
export const isUnsafeToRetry = ({ tried, base }: QueuedRequest, now: number): boolean =>
  tried !== undefined && base === undefined && now - tried > KEY_REMEMBERED_MS
