import type { Resource, RowOf } from '#kernel/resource.ts'
import type { Prepared } from '#server/db/db.ts'
import type { Values } from '../values.ts'
import type { Audit } from './audit-rows.ts'
import type { Said } from './foreseen.ts'
import type { Asked, Json } from './sent-json.ts'

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

/** What a statement says of each column, as its text has it. */
export type ColumnExpressions = ReadonlyMap<string, string>

/** The text of a statement that writes a row, without what it gives back. */
export interface Statement {
  readonly text: string
  readonly bound: ColumnExpressions
}

/** One statement of the unit, with an audit row for each verb that it stands for. */
export interface WriteStatement {
  readonly table: string
  readonly sql: (v: Values) => Statement
  readonly audits: Audit[]
  readonly answers: PendingWrite[]
  /** What is sent as JSON, by column: it may be large, and is not asked back. */
  readonly json: Json
  readonly asked: Asked[]
  /** What is said of the row, where the row is known by its id before it is sent. */
  readonly said?: Said
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
  readonly said: Said
}
