import type { Readable } from 'node:stream'
import type { Multipart } from '@fastify/multipart'
import type { ErrorStatus } from '#kernel/error-codes.ts'
import type { Fields } from '#kernel/fields.ts'
import type { Pack } from '#kernel/packs.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor, Roles } from '#kernel/roles.ts'
import type { Instant } from '#kernel/time.ts'
import type { Query } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { Engine, WriteRequest } from './engine.ts'

/** An address that is no resource: a count, a search, a sign-in. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `/api/crm/contacts/count`, with `{id}` for parameters. */
  readonly path: string
  readonly title: string
  /** Who may call it; `anonymous` for everybody. */
  readonly allow: Roles
  /** The pack that it belongs to: closed to clients without it, and for reading only to those whose pack has lapsed. */
  readonly pack?: Pack
  /** What its body holds, for those that declare it (`routeWith`). */
  readonly input?: Fields
  /** What it takes from the query by itself. All else that a query says is kept from the handler. */
  readonly query?: Fields
  /** It takes the filters and orders of this resource's list as well. */
  readonly filters?: Resource
  /** It answers with a list, of records of a resource or of other objects. */
  readonly listOf?: Resource | 'objects'
  /** Accepts `multipart/form-data` instead of JSON; the handler reads the stream itself. */
  readonly upload?: boolean
  /** What its body says is not read, of whatever type it is: mail programs send a form by themselves. */
  readonly ignoreBody?: true
  /** Its handler gets the body as it was sent (`request.raw`), of whatever type it is: its signature is over every byte. */
  readonly raw?: true
  /** An upload that comes with a used Idempotency-Key: does it bring what was answered with this body? */
  readonly isReplayOf?: (c: RouteContext, answer: string) => Promise<boolean>
  /** The types of the file that it answers with: what the caller accepts is not asked. */
  readonly file?: readonly [string, ...string[]]
  /** Statuses of refusals beside those that its method and address are fit for: the documentation names them. */
  readonly refuses?: readonly ErrorStatus[]
  /** What it is sent or answers is a secret, which is kept nowhere: a request that is sent again is done again. */
  readonly secret?: true
  /** For the provider's own people only, whoever holds the role elsewhere. */
  readonly provider?: true
  /** A GET that changes something, as the specification has some: HEAD does nothing, and says whether it may be asked for. */
  readonly writesOnGet?: true
  /** Answers while the portal is closed for maintenance too: what administrators need to come in, and everybody to know why. */
  readonly duringMaintenance?: true
  /** Answers those too who work as somebody else to look only: what is about their own session. */
  readonly whileReadOnly?: true
  readonly handle: (c: RouteContext) => Promise<RouteAnswer | ApiRecord> | RouteAnswer | ApiRecord
}

/** Routes that belong to a pack. */
export const routesForPack = (pack: Pack, routes: readonly Route[]): readonly Route[] =>
  routes.map((route) => ({ ...route, pack }))

export interface RouteContext {
  readonly actor: Actor | undefined
  /** The actor, where the route's `allow` makes sure that there is one. */
  readonly me: Actor
  readonly now: Instant
  readonly query: Query
  readonly params: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  readonly engine: Engine
  readonly request: RequestFacts
  /**
   * What this route's one change comes with: hand it to the transaction that does what was asked, not to those that prepare
   * it. That one then keeps the answer under the request's Idempotency-Key. `answer` makes the route's answer of the
   * transaction's value; without it, the value is the answer.
   */
  readonly change: <T extends ApiRecord | RouteAnswer>(answer?: (value: T) => RouteAnswer | ApiRecord) => WriteRequest
  /**
   * Where what was asked takes a second transaction, with the world outside between the two: `change` keeps that it was begun, this
   * keeps what came of it in its place. An `answer` of nothing gives the key back: it failed, and may be tried again.
   */
  readonly finish: <T>(answer: (value: T) => RouteAnswer | ApiRecord | undefined) => WriteRequest
}

/** What a route may know of the request itself. */
export interface RequestFacts {
  readonly id: string
  readonly address: string
  readonly agent: string
  readonly token: string | undefined
  readonly cookies: Readonly<Record<string, string | undefined>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The host that was asked, with its port; as a trusted proxy was asked for it. */
  readonly host: string
  /** The body as it was sent, for a route that asks for it. */
  readonly raw?: string
  /** The body of an upload, part by part. */
  readonly parts?: () => AsyncIterableIterator<Multipart>
}

export type Bytes = Buffer | Readable

/** An answer with more than a body. Bytes bring their own `content-type`, and go out as they are. */
export class RouteAnswer {
  readonly status: number
  readonly body: ApiRecord | string | Bytes | undefined
  /** A list where a header stands several times, as cookies do. */
  readonly headers: Record<string, string | string[]>
  constructor(status: number, body?: ApiRecord | string | Bytes, headers: Record<string, string | string[]> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}
