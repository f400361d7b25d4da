import { problem } from '#kernel/errors.ts'
import type { Resource, RowOf } from '#kernel/resource.ts'
import type { PreparedSql } from '#server/db/db.ts'
import { removeUnchangedFields } from '../difference.ts'
import { selectPlanFor } from '../plan.ts'
import { BoundValues, prepareSql } from '../values.ts'
import type { AuditContent } from './bulk-write.ts'
import { type AuditEntry, type AuditStamp, auditInsertSql } from './bulk-write.ts'

/** A write that is queued but not yet sent; its row is known after the flush. */
export interface PendingWrite<R extends Resource = Resource> {
  readonly resource: R
  /** Stored row as select-list values, in the plan's order. */
  stored?: readonly unknown[]
  /** Returns the written row; throws before the flush. */
  row(): RowOf<R>
  /** Returns the written row, flushing the write first if necessary. */
  saved(): Promise<RowOf<R>>
}

/** Records that a transaction has created or changed, by table. */
export class SavedRecords {
  private all = new Map<string, (PendingWrite | number)[]>()

  note({ table }: Pick<Resource, 'table'>, record: PendingWrite | number): void {
    const known = this.all.get(table)
    if (known) known.push(record)
    else this.all.set(table, [record])
  }

  has(tables: Iterable<string>): boolean {
    return [...tables].some((table) => this.all.has(table))
  }

  /** Removes all records and returns the IDs of those in the given tables. Called once the writes are sent. */
  take(tables: Iterable<string>): Map<string, number[]> {
    const found = new Map<string, number[]>()
    for (const table of tables) {
      // A write that was dropped with a part of the transaction has no stored row.
      const ids = this.all
        .get(table)
        ?.flatMap((one) => (typeof one === 'number' ? one : one.stored ? one.row().id : []))
      if (ids?.length) found.set(table, [...new Set(ids)])
    }
    this.all.clear()
    return found
  }
}

/** Function that builds an expression's SQL and binds the expression's values through `v`. */
export type SqlBuilder = (v: BoundValues) => string

/** One statement, with an audit row for each verb it performs. */
export interface WriteStatement {
  readonly table: string
  readonly sql: SqlBuilder
  readonly audits: AuditContent[]
  readonly answers: PendingWrite[]
}

/** A statement that runs after the collected writes. */
export interface FollowUpStatement {
  readonly table: string
  readonly query: PreparedSql
  readonly values: readonly unknown[]
}

/**
 * An update into which later changes to the same row are merged, because PostgreSQL updates a row only once per
 * statement.
 */
export interface UpdateStatement extends WriteStatement {
  readonly sets: Map<string, SqlBuilder>
  readonly inside: Map<string, Record<string, unknown>>
}

/** Several writes and their audit rows as one statement that returns one row. */
interface Composed {
  readonly query: PreparedSql
  readonly values: readonly unknown[]
  /** Passes the written rows to the pending writes. Throws 404 if a record was deleted. */
  readonly read: (row: readonly unknown[]) => void
}

export function composeWrites(stamp: AuditStamp, steps: readonly WriteStatement[]): Composed {
  const v = new BoundValues()
  const entries: AuditEntry[] = []
  const answers: { readonly written: PendingWrite; readonly text: string }[] = []
  const parts = steps.map((step, k) => {
    const name = `w${k}`
    for (const audit of step.audits) entries.push({ audit: finalAudit(step, audit), from: name })
    for (const written of step.answers) {
      const { select, joins } = selectPlanFor(written.resource)
      answers.push({ written, text: `(SELECT json_build_array(${select}) FROM ${name} t${joins})` })
    }
    return `${name} AS (${step.sql(v)} RETURNING *)`
  })
  if (entries.length) parts.push(auditInsertSql(v, stamp, entries))
  const list = answers.map(({ text }) => text).join(', ') || '1'
  return {
    query: prepareSql(`WITH ${parts.join(', ')} SELECT ${list}`),
    values: v.list,
    read: (row) => {
      for (const [n, { written }] of answers.entries()) {
        if (!row[n]) throw problem.notFound()
        written.stored = row[n] as unknown[]
      }
    },
  }
}

/** Returns an update's audit row, which lists only the fields that differ in the end. */
const finalAudit = (step: WriteStatement, a: AuditContent): AuditContent =>
  'sets' in step ? { ...a, changes: removeUnchangedFields(a.resource, a.changes) } : a
