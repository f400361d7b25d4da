import type { Logger } from 'pino'
import type { EventType } from '#kernel/event.ts'
import type { AccessVerb, ActionInputOf, ActionNameOf, RecordOf, Resource, RowOf, ValuesOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import type { SecurityEvent } from '#kernel/security-event.ts'
import type { Instant } from '#kernel/time.ts'
import type { RequestOrigin, SecurityLog } from '#server/auth/security-log.ts'
import type { SessionStore } from '#server/auth/sessions.ts'
import type { Config } from '#server/config.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import type { RelationReference } from '#server/data/input.ts'
import type { ApiRecord, JsonFormat } from '#server/data/json-select.ts'
import type { PageRange } from '#server/data/queries.ts'
import type { FigureSeries, GroupFigure, ListPage, ListTotals } from '#server/data/totals.ts'
import type { QueryCondition } from '#server/data/values.ts'
import type { Where } from '#server/data/where.ts'
import type { PendingWrite } from '#server/data/writing/pending-write.ts'
import type { TransactionWrites } from '#server/data/writing/work.ts'
import type { Db, Tx } from '#server/db/db.ts'
import type { AttemptResult } from './attempt.ts'
import type { PortalClock } from './clock.ts'
import type { WriteAttempt } from './refusals.ts'

/** The circumstances of a write: actor, request, and the caller's precondition. */
export interface WriteRequest {
  readonly actor: Actor
  readonly requestId: string
  /** Origin of the request, if it came over the network. */
  readonly from?: RequestOrigin
  /** Query of a request, if its action accepts filters. */
  readonly query?: RequestQuery
  /** Time of the write: now, except for past events in demo data. */
  readonly at?: Instant
  /** Compares the record with the version that the caller last saw; returns false if the record has changed since. */
  readonly matches?: (current: ApiRecord) => boolean
  /** Record and references in the body, used to name the reference that a foreign key rejects. */
  readonly resource?: Resource
  readonly id?: number
  readonly references?: readonly RelationReference[]
  /** Stores the response to a request with an Idempotency-Key, in the same transaction. */
  readonly keep?: (tx: Tx, value: unknown) => Promise<void>
}

/**
 * The engine as modules see it. Every read and write of a resource passes through the engine, which applies permission,
 * tenant, state, audit and outbox.
 */
export interface Engine {
  readonly db: Db
  readonly config: Config
  readonly resources: readonly Resource[]
  /** Resources that have URLs. Resources that nobody may read are left out, because they are for internal use only. */
  readonly addressed: readonly Resource[]
  readonly totals: ListTotals
  readonly clock: PortalClock
  readonly sessions: SessionStore
  readonly security: SecurityLog
  /** Logs problems that cause no error response, for the operator. */
  readonly log: Pick<Logger, 'error' | 'warn'>
  /** Callbacks that are called after each commit with the names of the written tables. */
  readonly onCommit: ((tables: ReadonlySet<string>) => void)[]
  /** Callbacks that are called before the server closes, for example to end streams. */
  readonly onClose: (() => void)[]

  list<R extends Resource>(
    r: R,
    actor: Actor | undefined,
    query: RequestQuery,
    page: PageRange,
    options?: { readonly count?: boolean; readonly extra?: readonly QueryCondition[] },
  ): Promise<ListPage<R>>
  /** Counts several lists in one statement. */
  figures(actor: Actor, series: readonly FigureSeries[]): Promise<GroupFigure[]>
  one<R extends Resource>(r: R, actor: Actor | undefined, id: number): Promise<RecordOf<R>>
  /** Reads one record without its rows and confidential fields, so that nothing is logged as read. Throws 404. */
  oneAsListed<R extends Resource>(r: R, actor: Actor, id: number): Promise<RecordOf<R>>
  /**
   * Reads one record as JSON text without braces. Only for resources whose records need no inspection before they are
   * sent.
   */
  oneText(r: Resource, actor: Actor | undefined, id: number, form: JsonFormat): Promise<string>
  /**
   * Resolves the last part of a URL to the record's ID. This part is either a number or the value of the resource's
   * alias.
   */
  idOf(r: Resource, actor: Actor | undefined, given: string | undefined): Promise<number>
  /** Returns conditions that the resource's behaviour adds to its lists. */
  extraFilters(r: Resource, query: RequestQuery): readonly QueryCondition[]

  create<R extends Resource>(r: R, body: ApiRecord, request: WriteRequest): Promise<RecordOf<R>>
  update<R extends Resource>(r: R, id: number, body: ApiRecord, request: WriteRequest): Promise<RecordOf<R>>
  remove(r: Resource, id: number, request: WriteRequest): Promise<void>
  /** Runs a declared action on one record: finds and locks it, and checks permission, state and input. */
  act(r: Resource, name: string, id: number, body: ApiRecord, request: WriteRequest): Promise<ApiRecord>
  /** Runs a transaction in one tenant, with the engine's audit and outbox, for routes and jobs that write. */
  inTenant<T>(clientId: number, request: WriteRequest, work: (c: Context) => Promise<() => T | Promise<T>>): Promise<T>
  /** Reads a tenant's records on behalf of the portal itself; `reason` documents the justification. */
  readIn<T>(clientId: number, reason: string, read: (c: RecordReader) => Promise<T>): Promise<T>
  /** Returns the tenant in which to work on this record: the actor's own or, for provider staff, the record's. */
  tenantOf(r: Resource, verb: AccessVerb, actor: Actor, id: number): Promise<number>
  /** Announces tables that were written and committed without a unit of work. */
  notifyCommit(tables: ReadonlySet<string>): void
}

/** A record with its new values. */
export interface RecordUpdate<R extends Resource> {
  readonly row: RowOf<R>
  readonly values: ValuesOf<R>
}

/** Reads a tenant's records, including templates if the resource has them. Locks nothing. */
export interface RecordReader {
  /** Returns the matching records, ordered by ID. */
  find<R extends Resource>(r: R, where: Where<R>): Promise<RowOf<R>[]>
  /** Returns one record by ID; `undefined` if there is none. */
  get<R extends Resource>(r: R, id: number): Promise<RowOf<R> | undefined>
  exists<R extends Resource>(r: R, where: Where<R>): Promise<boolean>
}

/**
 * Reads and writes for behaviours, jobs and routes, in one transaction of one tenant. Every write runs the target's own
 * `beforeSave`, validation, stamps and audit, and checks the actor's permission. Collected writes are sent together.
 */
export interface UnitOfWork extends RecordReader {
  /** Returns the tenant's own records, locked until the transaction ends. */
  lockAll<R extends Resource>(r: R, where: Where<R>): Promise<RowOf<R>[]>
  /**
   * Locks one record until the transaction ends; throws 404 if there is no such record. With `values`, new records may
   * still refer to the locked record. Two transactions that have both referred to the record then don't wait for each
   * other.
   */
  lock<R extends Resource>(r: R, id: number, what?: 'values'): Promise<RowOf<R>>
  /** Creates a record. Throws 422 if its declaration or behaviour rejects it, or 403 if the actor has no permission. */
  create<R extends Resource>(r: R, values: ValuesOf<R>): Promise<PendingWrite<R>>
  /**
   * Creates several records of one resource, each prepared and validated separately, and written together. Returns
   * their IDs, in this order. For steps of batch jobs.
   */
  createAll<R extends Resource>(r: R, all: readonly ValuesOf<R>[]): Promise<number[]>
  /** Changes a record, locking it first if only its ID is given. Two changes to one record are merged. */
  change<R extends Resource>(r: R, which: number | RowOf<R>, values: ValuesOf<R>): Promise<PendingWrite<R>>
  /** Runs a declared action: checks permission, access, state and input. */
  act<R extends Resource, A extends ActionNameOf<R>>(
    r: R,
    action: A,
    which: number | RowOf<R>,
    input: ActionInputOf<NonNullable<R['actions']>[A]['input']>,
  ): Promise<PendingWrite<R> | undefined>
  remove<R extends Resource>(r: R, which: number | RowOf<R>): Promise<void>
  /**
   * Returns the unit of work without permission checks, for writes that module code performs with its own rights, such
   * as a note written by an outcome. `reason` documents in the code why the write is allowed.
   */
  withoutPermissionCheck(reason: string): UnitOfWork
  /**
   * Changes a record's state on behalf of the resource's own behaviour: applies stamps and audit under `verb`, but does
   * not run `beforeSave`.
   */
  set<R extends Resource>(r: R, row: RowOf<R>, values: ValuesOf<R>, verb: string): Promise<PendingWrite<R>>
  /** Like `set`, for several records of one resource, written together. */
  setAll<R extends Resource>(r: R, all: readonly RecordUpdate<R>[], verb: string): Promise<void>
  /**
   * Attempts part of the transaction. If that part is rejected, only that part is rolled back, and the problem is
   * returned.
   */
  attempt<T>(inside: () => Promise<T>, about?: WriteAttempt): Promise<AttemptResult<T>>
  /** Queues an event in this transaction; its handlers run after the commit. Throws for an event without a handler. */
  emit<Given>(event: EventType<unknown, Given>, payload: NoInfer<Given>): Promise<void>
  /** Writes to the tenant's security log after the commit. `detail`: a few words, never a secret. */
  security(event: SecurityEvent, detail: string): void
  /** Loads a value once in this transaction and tenant. A failed load can be retried. */
  once<T>(key: string, load: () => Promise<T>): Promise<T>
}

/** Context for module code: the unit of work, the actor, the time, and the engine for everything else. */
export interface Context extends UnitOfWork {
  readonly actor: Actor
  readonly now: Instant
  /** The tenant whose rows this transaction may write. */
  readonly clientId: number
  /** The transaction itself, for queries that a declaration can't express. */
  readonly work: TransactionWrites
  readonly engine: Engine
  /** Query of the request, for an action with `filters`; otherwise empty. */
  readonly query: RequestQuery
}
