import type { Readable } from 'node:stream'
import type { Multipart } from '@fastify/multipart'
import type { ErrorStatus } from '#kernel/error-statuses.ts'
import { problem } from '#kernel/errors.ts'
import type { Fields } from '#kernel/fields.ts'
import type { PackChoice } from '#kernel/packs.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor, Roles } from '#kernel/roles.ts'
import type { Instant } from '#kernel/time.ts'
import { isCalendarDate } from '#kernel/time.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { Engine, WriteRequest } from './types.ts'

/** A URL that does not belong to a resource, such as a count, a search or sign-in. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path such as `/api/crm/contacts/count`, with `{id}` for a parameter. */
  readonly path: string
  readonly title: string
  readonly allow: Roles
  /** Pack that the client must have. Once the pack has expired, the route is read-only. */
  readonly pack?: PackChoice
  /** Fields of the body (`routeWithInput`). */
  readonly input?: Fields
  /** Query parameters. The handler receives no others. */
  readonly query?: Fields
  /** Resource whose list filters and sort orders the route also accepts. */
  readonly filters?: Resource
  /** Resource whose records the response lists, or `objects` for a list of other objects. */
  readonly listOf?: Resource | 'objects'
  /**
   * Accepts `multipart/form-data` instead of JSON; the handler reads the stream itself. With `input`, JSON is accepted
   * too.
   */
  readonly upload?: boolean
  /** True if the route itself limits concurrent requests, so that some of them need not wait for others. */
  readonly takesOwnTurns?: boolean
  /**
   * Ignores the body and its content type, because mail programs send a form with their one-click request (RFC 8058).
   */
  readonly ignoreBody?: true
  /**
   * Passes the body unparsed to the handler (`request.raw`), regardless of its type, because a signature covers every
   * byte of the body.
   */
  readonly raw?: true
  /**
   * Passes the body unread to the handler (`request.stream`), regardless of its type. For JSON bodies that are too large
   * to be parsed at once; `input` still documents them.
   */
  readonly streamed?: true
  /** True if an upload with a used Idempotency-Key contains the same file, according to the stored response. */
  readonly isReplayOf?: (c: RouteContext, answer: string) => Promise<boolean>
  /** Content types of the file that the route returns, regardless of the Accept header. */
  readonly file?: readonly [string, ...string[]]
  /** Errors to document in addition to those implied by the route's method and path. */
  readonly refuses?: readonly ErrorStatus[]
  /** True if the body or response is secret. Neither is stored, and a repeated request is therefore performed again. */
  readonly secret?: true
  /** Allows only provider staff, even if other users have the role. */
  readonly provider?: true
  /**
   * Marks a GET that writes, as the specification requires in some cases. HEAD only checks whether the route may be
   * called.
   */
  readonly writesOnGet?: true
  /**
   * Available during maintenance. Set for routes that administrators need to sign in, and for the route that returns
   * the reason to everybody.
   */
  readonly duringMaintenance?: true
  /**
   * Allowed to write while impersonating a user. Set for routes that commit the user to nothing, such as those that
   * write a draft; all others are refused.
   */
  readonly whileImpersonating?: true
  /** Available during any impersonation, read-only or not. Set for all routes that concern the user's own session. */
  readonly whileReadOnly?: true
  readonly handle: (c: RouteContext) => Promise<RouteResponse | ApiRecord> | RouteResponse | ApiRecord
}

export interface RouteContext {
  readonly actor: Actor | undefined
  /** The actor, on a route whose `allow` requires one. */
  readonly me: Actor
  readonly now: Instant
  readonly query: RequestQuery
  readonly params: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  readonly engine: Engine
  readonly request: RequestDetails
  /**
   * Returns the write request for the route's main transaction, not for preparatory ones. Stores the response under the
   * Idempotency-Key. `answer` builds the response from the transaction's value; by default the value is the response.
   */
  readonly change: <T extends ApiRecord | RouteResponse>(
    answer?: (value: T) => RouteResponse | ApiRecord,
  ) => WriteRequest
  /**
   * Returns the write request for a second transaction after an external call. `change` stores that work has begun;
   * `finish` replaces that with the result. If `answer` returns `undefined`, the work failed and the key is released
   * for a retry.
   */
  readonly finish: <T>(answer: (value: T) => RouteResponse | ApiRecord | undefined) => WriteRequest
}

export interface RequestDetails {
  readonly id: string
  readonly address: string
  /** Port from which the visitor connects. Undefined behind a proxy, because only the proxy knows it. */
  readonly port?: number
  readonly agent: string
  readonly token: string | undefined
  readonly cookies: Readonly<Record<string, string | undefined>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Requested host with its port; behind a trusted proxy, the host requested from the proxy. */
  readonly host: string
  /** Unparsed body, for routes with `raw`. */
  readonly raw?: string
  /** Unread body, for routes with `streamed`. */
  readonly stream?: Readable
  readonly parts?: () => AsyncIterableIterator<Multipart>
}

export type ResponseBytes = Buffer | Readable

/** A response with a status or headers. A body of bytes needs its own `content-type` and is sent unchanged. */
export class RouteResponse {
  readonly status: number
  readonly body: ApiRecord | string | ResponseBytes | undefined
  /** A list sends the header several times, for example for cookies. */
  readonly headers: Record<string, string | string[]>
  constructor(
    status: number,
    body?: ApiRecord | string | ResponseBytes,
    headers: Record<string, string | string[]> = {},
  ) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** First and last day, such as `2026-02-28`. */
interface DayRange {
  readonly from: string
  readonly to: string
}

/**
 * Parses a date parameter of the query, such as `2026-02-28`, or returns its default. Throws 400 for an invalid date.
 */
export function parseDateParameter({ query }: Pick<RouteContext, 'query'>, name: string, usual: string): string {
  const given = firstQueryValue(query[name]) || usual
  if (/^\d{4}-\d\d-\d\d$/.test(given) && isCalendarDate(given)) return given
  throw problem.badRequest(`"${name}" must be a date such as 2026-11-25.`)
}

/** Parses the query parameters `from` and `to`. Throws 400 if a date is invalid or the two are in the wrong order. */
export function parseDateRange(c: Pick<RouteContext, 'query'>, usual: DayRange): DayRange {
  const from = parseDateParameter(c, 'from', usual.from)
  const to = parseDateParameter(c, 'to', usual.to)
  if (from > to) throw problem.badRequest('"from" must not be after "to".')
  return { from, to }
}
