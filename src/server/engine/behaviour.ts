import type { ActionInputOf, ActionNameOf, Resource, RowOf, ValuesOf } from '#kernel/resource.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { RowsFieldChange } from '#server/data/rows.ts'
import type { QueryCondition } from '#server/data/values.ts'
import type { PendingWrite } from '#server/data/writing/pending-write.ts'
import type { Context } from './types.ts'

type MaybePromise<T> = T | Promise<T>

/** A save that is about to be performed. This object must not be modified. */
export interface BeforeSaveInput<R extends Resource> {
  /** The stored record; `undefined` for a new record. */
  readonly before: RowOf<R> | undefined
  /** The caller's changes. */
  readonly changes: Readonly<ValuesOf<R>>
  /** Names of the fields that the caller sent, also those whose values are unchanged. */
  readonly sent: readonly string[]
  /** The record as it would be saved, including its rows. */
  readonly values: Readonly<ValuesOf<R>>
  readonly rows: readonly RowsFieldChange[]
}

/** A save that has been queued in the current transaction. */
export interface AfterSaveInput<R extends Resource> {
  readonly before: RowOf<R> | undefined
  /** All changes, including those made by `beforeSave`. */
  readonly changes: Readonly<ValuesOf<R>>
  readonly rows: readonly RowsFieldChange[]
  readonly written: PendingWrite<R>
}

export interface ResourceBehaviour<R extends Resource = Resource> {
  /**
   * Returns additional conditions for the list, depending on its query, such as one that hides superseded records.
   * Never used for access control. `resources` are those of all modules.
   */
  readonly extraFilters?: (query: RequestQuery, resources: readonly Resource[]) => readonly QueryCondition[]
  /**
   * Relations of a new record that `beforeSave` locks with `c.lock`. The locking statement also finds the related
   * records, within the actor's access.
   */
  readonly lockedRelations?: readonly (keyof R['fields'] & string)[]
  /**
   * Runs before a save. Returns further changes by field, or throws a Problem. `undefined` for a field cancels the
   * change to that field; a list for a `rows` field replaces the field's rows (start from the rows in `values`).
   */
  readonly beforeSave?: (c: Context & BeforeSaveInput<R>) => MaybePromise<ValuesOf<R> | undefined>
  /** Runs after the write is queued, in the same transaction. May queue further writes. */
  readonly afterSave?: (c: Context & AfterSaveInput<R>) => MaybePromise<void>
  /**
   * Runs before provider staff, who can access every client, see a client's full record. Runs in a transaction of that
   * client. Not called for lists.
   */
  readonly onRead?: (c: Context, id: number) => MaybePromise<void>
  /** Handlers by action name. Each returns changes to the record, and the response. */
  readonly actions?: {
    readonly [A in ActionNameOf<R> as Spec<R, A> extends { to: string } ? never : A]: Handler<R, A>
  } & {
    readonly [A in ActionNameOf<R> as Spec<R, A> extends { to: string } ? A : never]?: Handler<R, A>
  }
}

type Spec<R extends Resource, A extends ActionNameOf<R>> = NonNullable<R['actions']>[A]

/**
 * Handler of an action. An action with `to` in its declaration has no handler, because it changes the state
 * automatically.
 */
type Handler<R extends Resource, A extends ActionNameOf<R>> = (
  c: Context & { row: RowOf<R>; input: ActionInputOf<Spec<R, A>['input']> },
) => MaybePromise<ActionResult<R>>

export interface ActionResult<R extends Resource = Resource> {
  readonly set?: ValuesOf<R>
  /**
   * Returns the response once the record is written; by default, the response is the record. `written` is the record's
   * pending write, if `set` was given.
   */
  readonly answer?: (written: PendingWrite<R> | undefined) => MaybePromise<ApiRecord>
}

// biome-ignore lint/suspicious/noExplicitAny: each pair is typed where it is made, by `behaviour`
export type DeclaredBehaviour = ResourceBehaviour<any>

/** Declares the behaviour of a resource, typed by its declaration. */
export const behaviour = <R extends Resource>(
  r: R,
  b: ResourceBehaviour<R>,
): readonly [Resource, DeclaredBehaviour] => [r, b]
