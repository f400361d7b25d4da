import type { Resource } from '#kernel/resource.ts'
import { settleAll } from '#kernel/settle-all.ts'
import type { PreparedSql, SqlConn } from '../db/db.ts'
import type { SelectPlan } from './plan.ts'
import { prepareSql } from './values.ts'

/** Statements that select and lock rows, with the same bound values. */
export interface LockingQuery {
  readonly query: PreparedSql
  /**
   * Statement that only locks the rows, if the query reads other tables in subqueries. A statement that waits for a lock
   * rereads the locked row, but its subqueries still see the other tables as they were before it waited.
   */
  readonly lock?: PreparedSql | undefined
}

/** Returns the statements that select and lock rows. `from` returns a query over `t` from its FROM clause onwards. */
export function lockingQuery(
  r: Resource,
  plan: SelectPlan,
  from: (joins: string) => string,
  locking: string,
): LockingQuery {
  const end = `${lockFirstSql(r)} ${locking}`
  return {
    query: prepareSql(`SELECT ${plan.select} ${from(plan.joins)}${end}`),
    lock: plan.hasSubqueries ? prepareSql(`SELECT ${from('')}${end}`) : undefined,
  }
}

/** Selects and locks rows, in one round trip. */
export async function selectLocked(
  conn: SqlConn,
  { query, lock }: LockingQuery,
  values: readonly unknown[],
): Promise<unknown[][]> {
  const locked = lock && conn.arrays(lock, values)
  const [, rows] = await settleAll(locked, conn.arrays(query, values))
  return rows
}

/**
 * Returns SQL that locks the records on which rows over `t` depend. The SQL is the end of a locking query's conditions.
 * PostgreSQL evaluates it before locking a row, and then rereads the row.
 */
const lockFirstSql = ({ lockFirst }: Resource): string =>
  lockFirst ? ` AND ${lockFirst.call}(${lockFirst.of.map((column) => `t.${column}`).join(', ')})` : ''
