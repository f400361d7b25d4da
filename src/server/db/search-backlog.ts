import type { Tx } from './db.ts'

/**
 * Empties the backlog of a table's search indexes, which every search would read through, whatever they are called: after many rows
 * have come. For the owner of the table.
 */
export const clearSearchBacklog = (tx: Tx, table: string) =>
  tx.rows(
    `SELECT gin_clean_pending_list(x.indexrelid) FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid JOIN pg_am a ON a.oid = c.relam
     WHERE x.indrelid = $1::regclass AND a.amname = 'gin'`,
    [table],
  )
