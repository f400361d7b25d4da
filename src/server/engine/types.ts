import type { Logger } from 'pino'
import type { Event } from '#kernel/event.ts'
import type { ActionOf, InputOf, RecordOf, Resource, RowOf, ValuesOf, Verb } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import type { SecurityEvent } from '#kernel/security-event.ts'
import type { Instant } from '#kernel/time.ts'
import type { RequestOrigin, SecurityLog } from '#server/auth/security-log.ts'
import type { SessionStore } from '#server/auth/sessions.ts'
import type { Config } from '#server/config.ts'
import type { Figure, Series } from '#server/data/counts.ts'
import type { Query } from '#server/data/filters.ts'
import type { Reference } from '#server/data/input.ts'
import type { ApiRecord, Form } from '#server/data/json-select.ts'
import type { Page } from '#server/data/queries.ts'
import type { Condition } from '#server/data/query-values.ts'
import type { ListPage, Totals } from '#server/data/totals.ts'
import type { Where } from '#server/data/where.ts'
import type { PendingWrite } from '#server/data/writing/pending-write.ts'
import type { Work } from '#server/data/writing/work.ts'
import type { Db, Tx } from '#server/db/db.ts'
import type { AttemptResult } from './attempt.ts'
import type { Clock } from './clock.ts'
import type { WriteAttempt } from './refusals.ts'

/** The circumstances of a write: actor, request, and the caller's precondition. */
export interface WriteRequest {
  readonly actor: Actor
  readonly requestId: string
  /** The sender's address, where the request came over the network. */
  readonly from?: RequestOrigin
  /** The query of a request whose action takes filters. */
  readonly query?: Query
  /** The time of the write: now, unless past events are told, as the demo world does. */
  readonly at?: Instant
  /** Compares the record with the version that the caller last saw; false means somebody else was quicker. */
  readonly matches?: (current: ApiRecord) => boolean
  /** The record and the references of the body: to name the one that a foreign key refuses. */
  readonly resource?: Resource
  readonly id?: number
  readonly references?: readonly Reference[]
  /** Stores the answer to a request with an Idempotency-Key, in the transaction that does the work. */
  readonly keep?: (tx: Tx, value: unknown) => Promise<void>
}

/** The engine as modules see it: every read and write of every resource passes here, and with it permission, tenant, state, audit and outbox. */
export interface Engine {
  readonly db: Db
  readonly config: Config
  readonly resources: readonly Resource[]
  /** Those that have addresses; a resource that nobody may read is for behaviour alone. */
  readonly addressed: readonly Resource[]
  readonly totals: Totals
  readonly clock: Clock
  readonly sessions: SessionStore
  readonly security: SecurityLog
  /** For what the operator should know although no request is refused. */
  readonly log: Pick<Logger, 'error' | 'warn'>
  /** Called after each commit with the tables that were written. */
  readonly onCommit: ((tables: ReadonlySet<string>) => void)[]
  /** Called when the server is about to close, to end what never ends by itself. */
  readonly onClose: (() => void)[]

  list<R extends Resource>(
    r: R,
    actor: Actor | undefined,
    query: Query,
    page: Page,
    options?: { readonly count?: boolean; readonly extra?: readonly Condition[] },
  ): Promise<ListPage<R>>
  /** Counts what several lists find, all at once. */
  figures(actor: Actor, series: readonly Series[]): Promise<Figure[]>
  one<R extends Resource>(r: R, actor: Actor | undefined, id: number): Promise<RecordOf<R>>
  /** The same as JSON text without its braces, for a record that is not inspected before it is sent. */
  oneText(r: Resource, actor: Actor | undefined, id: number, form: Form): Promise<string>
  /** The record's id from the end of an address: a number, or the value of the resource's alias. */
  idOf(r: Resource, actor: Actor | undefined, given: string | undefined): Promise<number>
  /** Conditions that the resource's behaviour adds to its lists. */
  extraFilters(r: Resource, query: Query): readonly Condition[]

  create<R extends Resource>(r: R, body: ApiRecord, request: WriteRequest): Promise<RecordOf<R>>
  update<R extends Resource>(r: R, id: number, body: ApiRecord, request: WriteRequest): Promise<RecordOf<R>>
  remove(r: Resource, id: number, request: WriteRequest): Promise<void>
  /** Runs a declared action on one record: found and locked, allowed, in a fitting state, its input valid. */
  act(r: Resource, name: string, id: number, body: ApiRecord, request: WriteRequest): Promise<ApiRecord>
  /** For routes and jobs that write: a transaction in one tenant, with the engine's audit and outbox. */
  inTenant<T>(clientId: number, request: WriteRequest, work: (c: Context) => Promise<() => T | Promise<T>>): Promise<T>
  /** Reads a tenant's records on behalf of the portal itself; `reason` says by what right. */
  readIn<T>(clientId: number, reason: string, read: (c: Reader) => Promise<T>): Promise<T>
  /** The tenant that work on this record belongs to: the actor's own, or, for provider staff, the record's. */
  tenantOf(r: Resource, verb: Verb, actor: Actor, id: number): Promise<number>
  /** Announces tables that were written and committed without the unit of work. */
  notifyCommit(tables: ReadonlySet<string>): void
}

/** A record, and its new values. */
export interface RecordChange<R extends Resource> {
  readonly row: RowOf<R>
  readonly values: ValuesOf<R>
}

/** Reads records of a tenant, with templates where the resource has them. Locks nothing. */
export interface Reader {
  /** Records in the order of their ids. */
  find<R extends Resource>(r: R, where: Where<R>): Promise<RowOf<R>[]>
  /** One record by id, or `undefined`. */
  get<R extends Resource>(r: R, id: number): Promise<RowOf<R> | undefined>
  exists<R extends Resource>(r: R, where: Where<R>): Promise<boolean>
}

/**
 * Reads and writes of behaviour, jobs and routes in one transaction of one tenant. Every write runs the target's own `beforeSave`,
 * validation, stamps and audit, and checks the actor's permission; collected writes are sent together.
 */
export interface UnitOfWork extends Reader {
  /** The tenant's own records, locked until the transaction ends. */
  lockAll<R extends Resource>(r: R, where: Where<R>): Promise<RowOf<R>[]>
  /**
   * One record, locked until the transaction ends; throws 404. With `values` only its values are: a new record that refers to it need not
   * wait, so that two transactions which have both referred to it don't wait for each other.
   */
  lock<R extends Resource>(r: R, id: number, what?: 'values'): Promise<RowOf<R>>
  /** A new record; throws 422 for what its declaration or behaviour refuses, 403 where the actor may not. */
  create<R extends Resource>(r: R, values: ValuesOf<R>): Promise<PendingWrite<R>>
  /**
   * Several new records of one kind, each prepared and refused as by itself, and written at once: their ids, in this order. For steps of
   * batch jobs.
   */
  createAll<R extends Resource>(r: R, all: readonly ValuesOf<R>[]): Promise<number[]>
  /** Changes a record, locking it first where only its id is given. Two changes of one record are one. */
  change<R extends Resource>(r: R, which: number | RowOf<R>, values: ValuesOf<R>): Promise<PendingWrite<R>>
  /** Runs a declared action: allowed, the record accessible, in a fitting state, its input valid. */
  act<R extends Resource, A extends ActionOf<R>>(
    r: R,
    action: A,
    which: number | RowOf<R>,
    input: InputOf<NonNullable<R['actions']>[A]['input']>,
  ): Promise<PendingWrite<R> | undefined>
  remove<R extends Resource>(r: R, which: number | RowOf<R>): Promise<void>
  /**
   * The same without asking whether the actor may: for what a behaviour does by its own right, such as a note that an
   * outcome writes. `reason` names the right; it stands in the code for the reader.
   */
  withoutPermissionCheck(reason: string): UnitOfWork
  /** A change of state by the resource's own behaviour: stamps and audit under `verb`, without `beforeSave`. */
  set<R extends Resource>(r: R, row: RowOf<R>, values: ValuesOf<R>, verb: string): Promise<PendingWrite<R>>
  /** The same for several records of one kind, written at once. */
  setAll<R extends Resource>(r: R, all: readonly RecordChange<R>[], verb: string): Promise<void>
  /** Tries a part of the transaction: a refused part is undone alone, and returned as the sentence that refused it. */
  attempt<T>(inside: () => Promise<T>, about?: WriteAttempt): Promise<AttemptResult<T>>
  /** Emits an event once this is committed. Throws for an event that has no handler. */
  emit<Given>(event: Event<unknown, Given>, payload: NoInfer<Given>): Promise<void>
  /** Writes to the tenant's security log once this is committed; `detail` in a few words, never a secret. */
  security(event: SecurityEvent, detail: string): void
  /** Loads something once in this transaction and tenant. A load that fails may be tried again. */
  once<T>(key: string, load: () => Promise<T>): Promise<T>
}

/** What behaviour may use: the unit of work, the actor, the time, and the engine for everything else. */
export interface Context extends UnitOfWork {
  readonly actor: Actor
  readonly now: Instant
  /** The tenant whose rows this transaction may write. */
  readonly clientId: number
  /** The transaction itself, for queries that a declaration can't say. */
  readonly work: Work
  readonly engine: Engine
  /** The query of the request, for an action that takes it (`filters`); otherwise empty. */
  readonly query: Query
}
