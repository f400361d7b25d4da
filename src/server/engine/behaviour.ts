import type { ActionOf, InputOf, Resource, RowOf, ValuesOf } from '#kernel/resource.ts'
import type { Query } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { Condition } from '#server/data/query-values.ts'
import type { RowsChange } from '#server/data/rows.ts'
import type { PendingWrite } from '#server/data/writing/step.ts'
import type { Context } from './context.ts'

type MaybePromise<T> = T | Promise<T>

/** What is about to be saved. Nothing of it may be changed in place. */
export interface BeforeSave<R extends Resource> {
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
export interface AfterSave<R extends Resource> {
  readonly before: RowOf<R> | undefined
  /** Everything that changed, `prepare`'s part included. */
  readonly changes: Readonly<ValuesOf<R>>
  readonly rows: readonly RowsChange[]
  readonly written: PendingWrite<R>
}

export interface Behaviour<R extends Resource = Resource> {
  /** Further conditions of the list, by its query: to leave out what only an older record would show. Never who sees what. */
  readonly extraFilters?: (query: Query) => readonly Condition[]
  /**
   * Relations of a new record to what `prepare` locks (`c.lock`): they are found within the reach of whoever asks by the statement that
   * locks them.
   */
  readonly lockedRelations?: readonly (keyof R['fields'] & string)[]
  /**
   * Before a save: returns further changes by field, or throws a Problem. `undefined` under a name takes that change back; a
   * list under a `rows` field is what its rows are to be (those of `values`, completed).
   */
  readonly beforeSave?: (c: Context & BeforeSave<R>) => MaybePromise<ValuesOf<R> | undefined>
  /** After the write is queued, in the same transaction: returns nothing, may queue more. */
  readonly afterSave?: (c: Context & AfterSave<R>) => MaybePromise<void>
  /**
   * Before somebody of the provider, who reaches every client, sees a record of a client’s whole: in a transaction of that client. Lists
   * are no opening.
   */
  readonly onRead?: (c: Context, id: number) => MaybePromise<void>
  /** By the action's name: what changes on the record, and what to answer. */
  readonly actions?: {
    readonly [A in ActionOf<R> as Spec<R, A> extends { to: string } ? never : A]: Handler<R, A>
  } & {
    readonly [A in ActionOf<R> as Spec<R, A> extends { to: string } ? A : never]?: Handler<R, A>
  }
}

type Spec<R extends Resource, A extends ActionOf<R>> = NonNullable<R['actions']>[A]

/** What an action does. One that says `to` in its declaration moves the state by itself. */
type Handler<R extends Resource, A extends ActionOf<R>> = (
  c: Context & { row: RowOf<R>; input: InputOf<Spec<R, A>['input']> },
) => MaybePromise<ActionResult<R>>

export interface ActionResult<R extends Resource = Resource> {
  readonly set?: ValuesOf<R>
  /** The answer, once written; without it, the record. `written` is the engine's record of the write, if `set` was given. */
  readonly answer?: (written: PendingWrite<R> | undefined) => MaybePromise<ApiRecord>
}

/** A behaviour as the engine holds it, whatever its resource is. */
// biome-ignore lint/suspicious/noExplicitAny: each pair is typed where it is made, by `behaviour`
export type AnyBehaviour = Behaviour<any>

/** What a resource does that its declaration can't say, typed by the declaration. */
export const behaviour = <R extends Resource>(r: R, b: Behaviour<R>): readonly [Resource, AnyBehaviour] => [r, b]
