import { AsyncLocalStorage } from 'node:async_hooks'
import type { Conn, Tx } from './db.ts'

const inside = new AsyncLocalStorage<Conn>()

/**
 * Runs work whose compiled reads go to this transaction, so that they see what it has written and not yet committed. From
 * then on the transaction has the reader's rights: nothing more is written in it but by another role.
 */
export async function readInside<T>(tx: Tx, work: () => T | Promise<T>): Promise<T> {
  await tx.script('SET LOCAL ROLE stanchion_reader')
  return inside.run(tx, async () => work())
}

/** The connection for compiled reads: that of the transaction that is read inside of, or the usual one. */
export const readerOn = (usual: Conn): Conn => ({
  rows: (text, values) => (inside.getStore() ?? usual).rows(text, values),
  arrays: (query, values) => (inside.getStore() ?? usual).arrays(query, values),
})
