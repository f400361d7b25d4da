import type { Readable } from 'node:stream'
import type { Multipart } from '@fastify/multipart'
import type { Navigation } from '#kernel/navigation.ts'
import type { Pack } from '#kernel/packs.ts'
import type { ActionOf, InputOf, Resource, RowOf, ValuesOf } from '#kernel/resource.ts'
import type { Actor, Roles } from '#kernel/roles.ts'
import type { Instant } from '#kernel/time.ts'
import type { Query } from './data/filters.ts'
import type { Sent } from './data/plan.ts'
import type { Condition } from './data/query-values.ts'
import type { RowsChange } from './data/rows.ts'
import type { Written } from './data/work.ts'
import type { Context } from './engine/context.ts'
import type { Change, Engine } from './engine.ts'
import type { Listener } from './runs/listener.ts'
import type { RunKind } from './runs/run.ts'
import type { Schedule } from './runs/schedule.ts'

export type { Context } from './engine/context.ts'

type Later<T> = T | Promise<T>

/** What is about to be saved. Nothing of it may be changed in place. */
export interface Saving<R extends Resource> {
  /** The record as it is stored; `undefined` for a new one. */
  readonly before: RowOf<R> | undefined
  /** What the caller changes. */
  readonly changes: Readonly<ValuesOf<R>>
  /** The record as it would be, its rows included. */
  readonly values: Readonly<ValuesOf<R>>
  /** The lists of rows that change. */
  readonly rows: readonly RowsChange[]
}

/** What was decided, in the same transaction. */
export interface Saved<R extends Resource> {
  readonly before: RowOf<R> | undefined
  /** Everything that changed, `prepare`'s part included. */
  readonly changes: Readonly<ValuesOf<R>>
  readonly rows: readonly RowsChange[]
  readonly written: Written<R>
}

export interface Behaviour<R extends Resource = Resource> {
  /** Further conditions of the list, by its query: to leave out what only an older record would show. Never who sees what. */
  readonly narrow?: (query: Query) => readonly Condition[]
  /**
   * Before a save: returns further changes by field, or throws a Problem. `undefined` under a name takes that change back; a
   * list under a `rows` field is what its rows are to be (those of `values`, completed).
   */
  readonly prepare?: (c: Context & Saving<R>) => Later<ValuesOf<R> | undefined>
  /** After the write is queued, in the same transaction: returns nothing, may queue more. */
  readonly saved?: (c: Context & Saved<R>) => Later<void>
  /** By the action's name: what changes on the record, and what to answer. */
  readonly actions?: {
    readonly [A in ActionOf<R>]: (
      c: Context & { row: RowOf<R>; input: InputOf<NonNullable<R['actions']>[A]['input']> },
    ) => Later<ActionResult<R>>
  }
}

export interface ActionResult<R extends Resource = Resource> {
  readonly set?: ValuesOf<R>
  /** The answer, once written; without it, the record. `written` is the engine's record of the write, if `set` was given. */
  readonly answer?: (written: Written<R> | undefined) => Later<Sent>
}

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
  /** Accepts `multipart/form-data` instead of JSON; the handler reads the stream itself. */
  readonly upload?: boolean
  /** An upload that comes with a used Idempotency-Key: does it bring what was answered with this body? */
  readonly sameAs?: (c: RouteContext, answer: string) => Promise<boolean>
  /** Answers with a file: what the caller accepts is not asked. */
  readonly bytes?: true
  /** What it is sent or answers is a secret, which is kept nowhere: a request that is sent again is done again. */
  readonly secret?: true
  /** For the provider's own people only, whoever holds the role elsewhere. */
  readonly provider?: true
  /** A GET that changes something, as the specification has some: HEAD is then no way to look. */
  readonly changes?: true
  /** Answers while the portal is closed for maintenance too: what administrators need to come in, and everybody to know why. */
  readonly whileClosed?: true
  readonly handle: (c: RouteContext) => Promise<RouteAnswer | Sent> | RouteAnswer | Sent
}

/** Routes that belong to a pack. */
export const routesOf = (pack: Pack, routes: readonly Route[]): readonly Route[] =>
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
  readonly change: <T extends Sent | RouteAnswer>(answer?: (value: T) => RouteAnswer | Sent) => Change
}

/** What a route may know of the request itself. */
export interface RequestFacts {
  readonly id: string
  readonly address: string
  readonly agent: string
  readonly token: string | undefined
  readonly cookies: Readonly<Record<string, string | undefined>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body of an upload, part by part. */
  readonly parts?: () => AsyncIterableIterator<Multipart>
}

export type Bytes = Buffer | Readable

/** An answer with more than a body. Bytes bring their own `content-type`, and go out as they are. */
export class RouteAnswer {
  readonly status: number
  readonly body: Sent | string | Bytes | undefined
  readonly headers: Record<string, string>
  constructor(status: number, body?: Sent | string | Bytes, headers: Record<string, string> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** A behaviour as the engine holds it, whatever its resource is. */
// biome-ignore lint/suspicious/noExplicitAny: each pair is typed where it is made, by `behaviour`
export type AnyBehaviour = Behaviour<any>

/** The face that an area shows to the server: its explicit lists. */
export interface Room {
  readonly name: string
  /** Its screens that have a place in the navigation. */
  readonly navigation?: Readonly<Record<string, Navigation>>
  readonly resources: readonly Resource[]
  readonly behaviours?: readonly (readonly [Resource, AnyBehaviour])[]
  readonly routes?: readonly Route[]
  readonly listeners?: readonly Listener[]
  readonly schedules?: readonly Schedule[]
  readonly runs?: readonly RunKind[]
}

/** What a resource does that its declaration can't say, typed by the declaration. */
export const behaviour = <R extends Resource>(r: R, b: Behaviour<R>): readonly [Resource, AnyBehaviour] => [r, b]
