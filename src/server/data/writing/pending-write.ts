import type { Resource, RowOf } from '#kernel/resource.ts'
import type { Prepared } from '#server/db/db.ts'
import type { Values } from '../values.ts'
import type { Audit } from './audit-rows.ts'

/** A write that is queued but not yet sent; its row is known after the flush. */
export interface PendingWrite<R extends Resource = Resource> {
  readonly resource: R
  /** The stored row: select-list values in the plan's order. */
  stored?: readonly unknown[]
  /** The written row; throws before the flush. */
  row(): RowOf<R>
  /** The written row, flushed first if necessary. */
  saved(): Promise<RowOf<R>>
}

/** The text of an expression; its values are bound through `v`. */
export type Expression = (v: Values) => string

/** One statement, with an audit row for each verb that it stands for. */
export interface WriteStatement {
  readonly table: string
  readonly sql: Expression
  readonly audits: Audit[]
  readonly answers: PendingWrite[]
}

/** A statement that follows the collected writes. */
export interface FollowUpStatement {
  readonly table: string
  readonly query: Prepared
  readonly values: readonly unknown[]
}

/** An update that later changes of the same row join, as PostgreSQL changes a row once in a statement. */
export interface UpdateStatement extends WriteStatement {
  readonly sets: Map<string, Expression>
  readonly inside: Map<string, Record<string, unknown>>
}
