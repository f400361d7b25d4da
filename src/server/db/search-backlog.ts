import type { Tx } from './db.ts'

/**
 * Flushes the pending list of a table's search indexes after many rows were added, because every search would scan that
 * list. Finds the indexes by type, not by name. Must run as the table's owner.
 */
export const flushSearchIndexes = (tx: Tx, table: string) =>
  tx.rows(
    `SELECT gin_clean_pending_list(x.indexrelid) FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid JOIN pg_am a ON a.oid = c.relam
     WHERE x.indrelid = $1::regclass AND a.amname = 'gin'`,
    [table],
  )
