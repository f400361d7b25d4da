import type { Readable } from 'node:stream'
import type { Multipart } from '@fastify/multipart'
import type { ErrorStatus } from '#kernel/error-codes.ts'
import { problem } from '#kernel/errors.ts'
import type { Fields } from '#kernel/fields.ts'
import type { Pack } from '#kernel/packs.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor, Roles } from '#kernel/roles.ts'
import type { Instant } from '#kernel/time.ts'
import { isDay } from '#kernel/time.ts'
import type { Query } from '#server/data/filters.ts'
import { firstOf } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { Engine, WriteRequest } from './types.ts'

/** An address without a resource: a count, a search, a sign-in. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Such as `/api/crm/contacts/count`, with `{id}` for parameters. */
  readonly path: string
  readonly title: string
  readonly allow: Roles
  /** Closed to clients without this pack, and read-only for those whose pack has lapsed. */
  readonly pack?: Pack
  /** The fields of its body (`routeWith`). */
  readonly input?: Fields
  /** The parameters of its query. The handler gets no others. */
  readonly query?: Fields
  /** Takes the filters and orders of this resource's list too. */
  readonly filters?: Resource
  /** Answers with a list of these records, or of other objects. */
  readonly listOf?: Resource | 'objects'
  /** Accepts `multipart/form-data` instead of JSON; the handler reads the stream itself. */
  readonly upload?: boolean
  /** Ignores the body and its type: mail programs send a form by themselves. */
  readonly ignoreBody?: true
  /** The handler gets the body as it was sent (`request.raw`), of whatever type: its signature is over every byte. */
  readonly raw?: true
  /** Whether an upload with a used Idempotency-Key brings the same file, by the stored answer. */
  readonly isReplayOf?: (c: RouteContext, answer: string) => Promise<boolean>
  /** The content types of the file that it answers with, whatever the caller accepts. */
  readonly file?: readonly [string, ...string[]]
  /** Refusals beyond those of its method and address, for the documentation. */
  readonly refuses?: readonly ErrorStatus[]
  /** Its body or answer is secret and never stored: a repeated request is done again. */
  readonly secret?: true
  /** Only for provider staff, whoever holds the role elsewhere. */
  readonly provider?: true
  /** A GET that writes, as the specification has some: HEAD does nothing but check whether it may be called. */
  readonly writesOnGet?: true
  /** Answers during maintenance too: what administrators need to sign in, and everybody to know why. */
  readonly duringMaintenance?: true
  /** Answers a read-only impersonation too: what is about their own session. */
  readonly whileReadOnly?: true
  readonly handle: (c: RouteContext) => Promise<RouteAnswer | ApiRecord> | RouteAnswer | ApiRecord
}

export interface RouteContext {
  readonly actor: Actor | undefined
  /** The actor, where `allow` requires one. */
  readonly me: Actor
  readonly now: Instant
  readonly query: Query
  readonly params: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  readonly engine: Engine
  readonly request: RequestFacts
  /**
   * The circumstances of the route's one write: for the transaction that does the work, not for those that prepare it. That one stores the
   * answer under the Idempotency-Key. `answer` makes the answer of the transaction's value; by default the value is the answer.
   */
  readonly change: <T extends ApiRecord | RouteAnswer>(answer?: (value: T) => RouteAnswer | ApiRecord) => WriteRequest
  /**
   * The same for a second transaction, after a call to the outside world: `change` stores that the work has begun, this replaces it with
   * the result. An `answer` of `undefined` releases the key: it failed, and may be tried again.
   */
  readonly finish: <T>(answer: (value: T) => RouteAnswer | ApiRecord | undefined) => WriteRequest
}

export interface RequestFacts {
  readonly id: string
  readonly address: string
  readonly agent: string
  readonly token: string | undefined
  readonly cookies: Readonly<Record<string, string | undefined>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The requested host with its port; behind a trusted proxy, the host that was requested of it. */
  readonly host: string
  /** The body as it was sent, for a route that asks for it. */
  readonly raw?: string
  /** The body of an upload, part by part. */
  readonly parts?: () => AsyncIterableIterator<Multipart>
}

export type Bytes = Buffer | Readable

/** An answer with a status or headers. Bytes bring their own `content-type` and are sent unchanged. */
export class RouteAnswer {
  readonly status: number
  readonly body: ApiRecord | string | Bytes | undefined
  /** A list where a header is repeated, as cookies are. */
  readonly headers: Record<string, string | string[]>
  constructor(status: number, body?: ApiRecord | string | Bytes, headers: Record<string, string | string[]> = {}) {
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

/** Reads a day of the query, `2026-02-28`, or its default. Throws 400. */
export function readDayParameter({ query }: Pick<RouteContext, 'query'>, name: string, usual: string): string {
  const given = firstOf(query[name]) || usual
  if (/^\d{4}-\d\d-\d\d$/.test(given) && isDay(given)) return given
  throw problem.badRequest(`"${name}" must be a day such as 2026-11-25.`)
}

/** Reads `from` and `to` of the query. Throws 400, also where they are the wrong way round. */
export function readDayRange(c: Pick<RouteContext, 'query'>, usual: DayRange): DayRange {
  const from = readDayParameter(c, 'from', usual.from)
  const to = readDayParameter(c, 'to', usual.to)
  if (from > to) throw problem.badRequest('"from" must not be after "to".')
  return { from, to }
}
