import type { Resource, RowOf } from '#kernel/resource.ts'
import type { Prepared } from '#server/db/db.ts'
import type { Values } from '../values.ts'
import type { Audit } from './audit-rows.ts'

/** A write that is decided but not yet sent; its row is known after the flush. */
export interface PendingWrite<R extends Resource = Resource> {
  readonly resource: R
  /** The stored row: select-list values in the plan's order. */
  stored?: readonly unknown[]
  /** The row as it was written; throws before the flush. */
  row(): RowOf<R>
  /** The row, sent to the database first if it has not been. */
  saved(): Promise<RowOf<R>>
}

/** The text of one expression, its values bound through `v`. */
export type Expression = (v: Values) => string

/** One statement of the unit, with an audit row for each verb that it stands for. */
export interface WriteStatement {
  readonly table: string
  readonly sql: Expression
  readonly audits: Audit[]
  readonly answers: PendingWrite[]
}

/** A statement that is sent by itself, behind what is written. */
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
