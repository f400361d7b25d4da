import type { Event } from '#kernel/event.ts'
import type { ActionOf, InputOf, Resource, RowOf, ValuesOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import type { SecurityEvent } from '#kernel/security-event.ts'
import type { Instant } from '#kernel/time.ts'
import type { Query } from '#server/data/filters.ts'
import type { Where } from '#server/data/where.ts'
import type { PendingWrite } from '#server/data/writing/step.ts'
import type { Work } from '#server/data/writing/work.ts'
import type { AttemptResult } from './attempt.ts'
import type { Engine } from './engine.ts'
import type { WriteAttempt } from './refusals.ts'

/** A record, and what it is to be. */
export interface RecordChange<R extends Resource> {
  readonly row: RowOf<R>
  readonly values: ValuesOf<R>
}

/** Looks at records of a tenant, with templates where the resource has them. Nothing is locked. */
export interface Reader {
  /** Records in the order of their ids. */
  find<R extends Resource>(r: R, where: Where<R>): Promise<RowOf<R>[]>
  /** One record by id, or `undefined`. */
  get<R extends Resource>(r: R, id: number): Promise<RowOf<R> | undefined>
  /** Is there a record such as this? */
  exists<R extends Resource>(r: R, where: Where<R>): Promise<boolean>
}

/**
 * What behaviour, jobs and routes do to records, in one transaction of one tenant. Every write runs the target's own
 * `prepare`, validation, stamps and audit, and asks whether the actor may; writes collected here are sent together.
 */
export interface UnitOfWork extends Reader {
  /** The tenant's own records, kept from others until the transaction ends. */
  lockAll<R extends Resource>(r: R, where: Where<R>): Promise<RowOf<R>[]>
  /**
   * One record, kept from others until the transaction ends; throws 404. With `values` only what it says: a new record that refers to it
   * need not wait, so that two which have both referred to it don't wait for each other.
   */
  lock<R extends Resource>(r: R, id: number, what?: 'values'): Promise<RowOf<R>>
  /** A new record; throws 422 for what its declaration or behaviour refuses, 403 where the actor may not. */
  create<R extends Resource>(r: R, values: ValuesOf<R>): Promise<PendingWrite<R>>
  /**
   * Several new records of one kind, each prepared and refused as by itself, and written at once: their ids, in this order. For steps of
   * long work.
   */
  createAll<R extends Resource>(r: R, all: readonly ValuesOf<R>[]): Promise<number[]>
  /** Changes a record, locking it first where only its id is given. Two changes of one record are one. */
  change<R extends Resource>(r: R, which: number | RowOf<R>, values: ValuesOf<R>): Promise<PendingWrite<R>>
  /** Runs a declared action: allowed, the record within reach, in a fitting state, its input valid. */
  act<R extends Resource, A extends ActionOf<R>>(
    r: R,
    action: A,
    which: number | RowOf<R>,
    input: InputOf<NonNullable<R['actions']>[A]['input']>,
  ): Promise<PendingWrite<R> | undefined>
  remove<R extends Resource>(r: R, which: number | RowOf<R>): Promise<void>
  /**
   * The same without asking whether the actor may: for what a behaviour does by its own right, such as a note that an
   * outcome writes. `why` says which right; it stands in the code for the reader.
   */
  withoutPermissionCheck(why: string): UnitOfWork
  /**
   * A change of state that the resource's own behaviour makes: stamps and audit under `verb`, without `prepare`, which guards
   * the doors that others come through.
   */
  set<R extends Resource>(r: R, row: RowOf<R>, values: ValuesOf<R>, verb: string): Promise<PendingWrite<R>>
  /** The same for several records of one kind, written at once. */
  setAll<R extends Resource>(r: R, all: readonly RecordChange<R>[], verb: string): Promise<void>
  /** Tries a part of the transaction: what is refused is undone alone, and comes back as the sentence that refused it. */
  attempt<T>(inside: () => Promise<T>, about?: WriteAttempt): Promise<AttemptResult<T>>
  /** Tells whoever listens, once this is committed. Throws for an event that nobody listens to. */
  emit<Given>(event: Event<unknown, Given>, payload: NoInfer<Given>): Promise<void>
  /** Tells the security log of the tenant, once this is committed; `detail` in a few words, never a secret. */
  security(event: SecurityEvent, detail: string): void
}

/** What behaviour may use: the unit of work, who asks, when, and the engine for everything else. */
export interface Context extends UnitOfWork {
  readonly actor: Actor
  readonly now: Instant
  /** The tenant whose rows this transaction may write. */
  readonly clientId: number
  /** The transaction itself, for queries that a declaration can't say. */
  readonly work: Work
  readonly engine: Engine
  /** What the query of the request says, for an action that takes it (`filters`); otherwise nothing. */
  readonly query: Query
}
