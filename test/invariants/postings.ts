import type { TestPortal } from '../support/portal.ts'

let posted = 0

/**
 * Inserts a balanced transaction in a client's ledger by raw SQL, and returns the IDs of the transaction and of one of
 * its entries. The database requires entries that add up to zero.
 */
export async function insertLedgerTransaction({ db }: TestPortal, clientId: number, mark: string) {
  const [made] = await db.tx('system', (tx) =>
    tx.rows<{ LedgerTransaction: number; LedgerEntry: number }>(
      `WITH t AS (INSERT INTO ledger_transaction (client_id, kind, day, description, source, source_id)
         VALUES ($1, 'fee', '2026-06-01', $2, $2, $3) RETURNING *),
       e AS (INSERT INTO ledger_entry (client_id, transaction_id, day, account, amount, currency)
         SELECT client_id, id, day, account, amount, 'GBP' FROM t, (VALUES ('fees', 1), ('bank', -1)) a (account, amount) RETURNING id)
       SELECT t.id AS "LedgerTransaction", (SELECT min(id) FROM e) AS "LedgerEntry" FROM t`,
      [clientId, `${mark} posted`, ++posted],
    ),
  )
  return made as { LedgerTransaction: number; LedgerEntry: number }
}
