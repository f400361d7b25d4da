import type { ActionOf, InputOf, Resource, RowOf, ValuesOf } from '#kernel/resource.ts'
import type { Query } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { Condition } from '#server/data/query-values.ts'
import type { RowsChange } from '#server/data/rows.ts'
import type { PendingWrite } from '#server/data/writing/pending-write.ts'
import type { Context } from './types.ts'

type MaybePromise<T> = T | Promise<T>

/** A save before it happens. Nothing of it may be changed in place. */
export interface BeforeSave<R extends Resource> {
  /** The stored record; `undefined` for a new one. */
  readonly before: RowOf<R> | undefined
  /** The caller's changes. */
  readonly changes: Readonly<ValuesOf<R>>
  /** The record as it would be, its rows included. */
  readonly values: Readonly<ValuesOf<R>>
  readonly rows: readonly RowsChange[]
}

/** A save that is decided, in the same transaction. */
export interface AfterSave<R extends Resource> {
  readonly before: RowOf<R> | undefined
  /** All changes, those by `beforeSave` included. */
  readonly changes: Readonly<ValuesOf<R>>
  readonly rows: readonly RowsChange[]
  readonly written: PendingWrite<R>
}

export interface Behaviour<R extends Resource = Resource> {
  /** Further conditions of the list, by its query: to leave out what only an older record would show. Never for access. */
  readonly extraFilters?: (query: Query) => readonly Condition[]
  /** Relations of a new record that `beforeSave` locks (`c.lock`): the locking statement also finds them, within the actor's access. */
  readonly lockedRelations?: readonly (keyof R['fields'] & string)[]
  /**
   * Runs before a save: returns further changes by field, or throws a Problem. `undefined` under a name takes that change back; a list
   * under a `rows` field replaces its rows (those of `values`, completed).
   */
  readonly beforeSave?: (c: Context & BeforeSave<R>) => MaybePromise<ValuesOf<R> | undefined>
  /** Runs after the write is queued, in the same transaction; may queue more. */
  readonly afterSave?: (c: Context & AfterSave<R>) => MaybePromise<void>
  /**
   * Runs before provider staff, who reach every client, see a client's record whole: in a transaction of that client. Lists don't count.
   */
  readonly onRead?: (c: Context, id: number) => MaybePromise<void>
  /** By the action's name: changes of the record, and the answer. */
  readonly actions?: {
    readonly [A in ActionOf<R> as Spec<R, A> extends { to: string } ? never : A]: Handler<R, A>
  } & {
    readonly [A in ActionOf<R> as Spec<R, A> extends { to: string } ? A : never]?: Handler<R, A>
  }
}

type Spec<R extends Resource, A extends ActionOf<R>> = NonNullable<R['actions']>[A]

/** An action that says `to` in its declaration moves the state by itself. */
type Handler<R extends Resource, A extends ActionOf<R>> = (
  c: Context & { row: RowOf<R>; input: InputOf<Spec<R, A>['input']> },
) => MaybePromise<ActionResult<R>>

export interface ActionResult<R extends Resource = Resource> {
  readonly set?: ValuesOf<R>
  /** The answer, once written; the record by default. `written` is the write of the record, if `set` was given. */
  readonly answer?: (written: PendingWrite<R> | undefined) => MaybePromise<ApiRecord>
}

/** A behaviour, whatever its resource is. */
// biome-ignore lint/suspicious/noExplicitAny: each pair is typed where it is made, by `behaviour`
export type DeclaredBehaviour = Behaviour<any>

/** The behaviour of a resource beyond its declaration, typed by the declaration. */
export const behaviour = <R extends Resource>(r: R, b: Behaviour<R>): readonly [Resource, DeclaredBehaviour] => [r, b]
