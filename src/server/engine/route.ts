import type { Readable } from 'node:stream'
import type { Multipart } from '@fastify/multipart'
import type { ErrorStatus } from '#kernel/error-codes.ts'
import { problem } from '#kernel/errors.ts'
import type { Fields } from '#kernel/fields.ts'
import type { Pack } from '#kernel/packs.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor, Roles } from '#kernel/roles.ts'
import type { Instant } from '#kernel/time.ts'
import { isCalendarDate } from '#kernel/time.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { Engine, WriteRequest } from './types.ts'

/** An address that is not a resource's, such as a count, a search or sign-in. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Such as `/api/crm/contacts/count`, with `{id}` for parameters. */
  readonly path: string
  readonly title: string
  readonly allow: Roles
  /** Unavailable to clients without this pack, and read-only once their pack has expired. */
  readonly pack?: Pack
  /** Fields of the body (`routeWithInput`). */
  readonly input?: Fields
  /** Parameters of the query. The handler gets no others. */
  readonly query?: Fields
  /** Also accepts the filters and sort orders of this resource's list. */
  readonly filters?: Resource
  /** Returns a list of these records, or of other objects. */
  readonly listOf?: Resource | 'objects'
  /** Accepts `multipart/form-data` instead of JSON; the handler reads the stream itself. */
  readonly upload?: boolean
  /** Ignores the body and its type, because mail programs send a form automatically. */
  readonly ignoreBody?: true
  /**
   * Passes the body unparsed to the handler (`request.raw`), regardless of type, because its signature covers every
   * byte.
   */
  readonly raw?: true
  /** True if an upload with a used Idempotency-Key contains the same file, according to the stored response. */
  readonly isReplayOf?: (c: RouteContext, answer: string) => Promise<boolean>
  /** Content types of the file that it returns, regardless of the Accept header. */
  readonly file?: readonly [string, ...string[]]
  /** Errors in addition to those of its method and address, for the documentation. */
  readonly refuses?: readonly ErrorStatus[]
  /** Its body or response is secret and never stored: a repeated request is performed again. */
  readonly secret?: true
  /** Only for provider staff, even if others have the role. */
  readonly provider?: true
  /** A GET that writes, as the specification requires in some cases. HEAD only checks whether it may be called. */
  readonly writesOnGet?: true
  /** Available during maintenance: what administrators need to sign in, and the reason for everybody. */
  readonly duringMaintenance?: true
  /** Available during read-only impersonation: everything about the user's own session. */
  readonly whileReadOnly?: true
  readonly handle: (c: RouteContext) => Promise<RouteResponse | ApiRecord> | RouteResponse | ApiRecord
}

export interface RouteContext {
  readonly actor: Actor | undefined
  /** The actor, if `allow` requires one. */
  readonly me: Actor
  readonly now: Instant
  readonly query: RequestQuery
  readonly params: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  readonly engine: Engine
  readonly request: RequestDetails
  /**
   * Write request for the route's main transaction, not for preparatory ones. Stores the response under the
   * Idempotency-Key. `answer` builds the response from the transaction's value; by default the value is the response.
   */
  readonly change: <T extends ApiRecord | RouteResponse>(
    answer?: (value: T) => RouteResponse | ApiRecord,
  ) => WriteRequest
  /**
   * Write request for a second transaction after an external call: `change` stores that work has begun, and this
   * replaces it with the result. If `answer` returns `undefined`, the work failed and the key is released for a retry.
   */
  readonly finish: <T>(answer: (value: T) => RouteResponse | ApiRecord | undefined) => WriteRequest
}

export interface RequestDetails {
  readonly id: string
  readonly address: string
  readonly agent: string
  readonly token: string | undefined
  readonly cookies: Readonly<Record<string, string | undefined>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Requested host with its port; behind a trusted proxy, the host requested from the proxy. */
  readonly host: string
  /** Unparsed body, for routes with `raw`. */
  readonly raw?: string
  /** Parts of an uploaded body. */
  readonly parts?: () => AsyncIterableIterator<Multipart>
}

export type ResponseBytes = Buffer | Readable

/** A response with a status or headers. Bytes bring their own `content-type` and are sent unchanged. */
export class RouteResponse {
  readonly status: number
  readonly body: ApiRecord | string | ResponseBytes | undefined
  /** A list repeats the header, such as for cookies. */
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

/** First and last day, `2026-02-28`. */
interface DayRange {
  readonly from: string
  readonly to: string
}

/** Parses a date parameter of the query, `2026-02-28`, or returns its default. Throws 400. */
export function parseDateParameter({ query }: Pick<RouteContext, 'query'>, name: string, usual: string): string {
  const given = firstQueryValue(query[name]) || usual
  if (/^\d{4}-\d\d-\d\d$/.test(given) && isCalendarDate(given)) return given
  throw problem.badRequest(`"${name}" must be a day such as 2026-11-25.`)
}

/** Parses `from` and `to` of the query. Throws 400, also if they are in the wrong order. */
export function parseDateRange(c: Pick<RouteContext, 'query'>, usual: DayRange): DayRange {
  const from = parseDateParameter(c, 'from', usual.from)
  const to = parseDateParameter(c, 'to', usual.to)
  if (from > to) throw problem.badRequest('"from" must not be after "to".')
  return { from, to }
}
