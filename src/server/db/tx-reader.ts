import { AsyncLocalStorage } from 'node:async_hooks'
import type { SqlConn, Tx } from './db.ts'

const inside = new AsyncLocalStorage<SqlConn>()

/**
 * Runs work whose compiled reads use this transaction, so that they see its uncommitted writes. Afterwards the
 * transaction has only the reader's rights; further writes need another role.
 */
export async function readInTransaction<T>(tx: Tx, work: () => T | Promise<T>): Promise<T> {
  await tx.script('SET LOCAL ROLE stanchion_reader')
  return inside.run(tx, async () => work())
}

/**
 * Returns the connection for compiled reads: the transaction of the current `readInTransaction`, or otherwise `usual`.
 */
export const createTxAwareReader = (usual: SqlConn): SqlConn => ({
  rows: (text, values) => (inside.getStore() ?? usual).rows(text, values),
  arrays: (query, values) => (inside.getStore() ?? usual).arrays(query, values),
})
