import type { Values } from '#kernel/forms/visible.ts'

/** Description of a queued request for the person who made it. */
export interface RequestDescription {
  /** Label of the request: `Note`, `Outcome: No answer`, `Signature of Vic Stone` */
  readonly what: string
  /** Title of the record: `Alder Roofing`. */
  readonly of?: string | undefined
  /** Typed text, for reading and copying. */
  readonly text?: string | undefined
  /** Path of the record's page. */
  readonly at?: string | undefined
  /** IRIs of the records that show the request while it is queued. */
  readonly about: readonly string[]
}

export interface RequestRejection {
  readonly status: number
  readonly why: string
  /** Key of the rejected or removed request that this request depends on, if that is the reason. */
  readonly part?: string
}

/**
 * Request that has had no response so far, stored on the device of the person who made it. This type must stay
 * compatible, because devices may still store old requests.
 */
export interface QueuedRequest extends RequestDescription {
  /** Idempotency-Key of the request, the same for every attempt. */
  readonly key: string
  /** Key of the owner, from `ownerKeyOf`. */
  readonly owner: string
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly body: Values
  /** File to upload. The request is then sent as form data that includes the fields of the body. */
  readonly file?: File | undefined
  /**
   * Keys of earlier requests that this request depends on, such as queued pictures. The path and the body refer to the
   * records created by those requests as `placeholderForRequest(key)`.
   */
  readonly parts?: readonly string[] | undefined
  /**
   * Whether several later requests may depend on this request. Its response then stays on this device for an hour, and
   * for as long as an undelivered request depends on it.
   */
  readonly shared?: boolean | undefined
  /** Previous values of the changed fields. The request is rejected if somebody else has changed these fields since. */
  readonly base?: Values | undefined
  /**
   * Whether the screen that made the request needs the response. If so, the request stays in the queue until the screen
   * has collected the response.
   */
  readonly collect?: boolean | undefined
  /** Time when the request was made, in ms since 1970. */
  readonly givenAt: number
  /** Time of the first attempt that got no response but may have reached the server, in ms since 1970. */
  readonly tried?: number | undefined
  /** Whether the page that made the request is waiting for the response. */
  readonly sending?: boolean | undefined
  readonly refused?: RequestRejection | undefined
  /** The server's response, until it is collected. */
  readonly arrived?: unknown
  /** Time of the response, in ms since 1970. */
  readonly arrivedAt?: number | undefined
}

/**
 * Returns the placeholder that a path or body contains instead of the IRI of a record that another queued request will
 * create. `item` is the place of the record in the response, such as `attendees.0`; if omitted, the response is the
 * record. Bodies already stored on devices contain these placeholders.
 */
export const placeholderForRequest = (key: string, item?: string): string => `parcel:${key}${item ? `#${item}` : ''}`

/** Returns the key of the request whose placeholder is given or starts a path; `undefined` for any other address. */
export const requestKeyIn = (address: string): string | undefined => /^parcel:([^#/]+)/.exec(address)?.[1]

/** Returns the IRIs of the records in a response, by placeholder. */
export function addressesInAnswer(key: string, answer: unknown): (readonly [string, string])[] {
  const iriOf = (value: unknown) => {
    const iri = value !== null && typeof value === 'object' && '@id' in value ? value['@id'] : undefined
    return typeof iri === 'string' ? iri : undefined
  }
  const own = iriOf(answer)
  const items = answer !== null && typeof answer === 'object' ? Object.entries(answer) : []
  return [
    ...(own ? [[placeholderForRequest(key), own] as const] : []),
    ...items.flatMap(([name, all]) =>
      (Array.isArray(all) ? (all as unknown[]) : []).flatMap((item, i) => {
        const iri = iriOf(item)
        return iri ? [[placeholderForRequest(key, `${name}.${i}`), iri] as const] : []
      }),
    ),
  ]
}

/** Replaces placeholders in the path and body of a request with the IRIs of the created records. */
export function fillPlaceholders<R extends Pick<QueuedRequest, 'path' | 'body'>>(
  request: R,
  addresses: ReadonlyMap<string, string>,
): R {
  const fill = (value: unknown): unknown =>
    typeof value === 'string'
      ? (addresses.get(value) ?? value)
      : Array.isArray(value)
        ? value.map(fill)
        : value !== null && typeof value === 'object'
          ? Object.fromEntries(Object.entries(value).map(([name, own]) => [name, fill(own)]))
          : value
  const path = request.path.replace(/^parcel:[^/]+/, (placeholder) => addresses.get(placeholder) ?? placeholder)
  return { ...request, path, body: fill(request.body) as Values }
}

const RETRYABLE_STATUSES = new Set([0, 401, 408, 429, 502, 503, 504])

/**
 * Returns true if the response means that the server has not decided yet. The request must then be sent again later.
 */
export const isRetryableResponse = ({
  status,
  code,
}: {
  readonly status: number
  readonly code?: string | undefined
}): boolean => RETRYABLE_STATUSES.has(status) || code === 'still_running' || code === 'changed_meanwhile'

/** Returns true if the request has neither been rejected nor received a response. */
export const isAwaitingDelivery = (request: QueuedRequest): boolean =>
  request.refused === undefined && request.arrived === undefined

/** Returns true if the request is only stored because others may depend on it: there is nothing left to send or see. */
export const isDeliveredForOthers = ({ shared, arrived }: QueuedRequest): boolean =>
  shared === true && arrived !== undefined

/** Returns true if an undelivered request depends on the request with this key. */
export const hasDependents = (key: string, all: readonly QueuedRequest[]): boolean =>
  all.some(({ parts, arrived }) => arrived === undefined && parts?.includes(key))

/**
 * Time in milliseconds for which an Idempotency-Key can be relied on. The server stores the key for a day; one hour is
 * left as a margin.
 */
const KEY_REMEMBERED_MS = 23 * 3_600_000

/**
 * Returns true if another attempt might take effect twice: the first attempt was so long ago that the server may no
 * longer store the key. Requests with a `base` are safe to repeat.
 */
export const isUnsafeToRetry = ({ tried, base }: QueuedRequest, now: number): boolean =>
  tried !== undefined && base === undefined && now - tried > KEY_REMEMBERED_MS
