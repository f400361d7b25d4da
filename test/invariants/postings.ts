import type { TestPortal } from '../support/portal.ts'

let posted = 0

/**
 * A movement of money in a client's books, by raw SQL: the database takes a transaction only with entries that come to nil. Resolves to the
 * ids of the transaction and of one of its entries.
 */
export async function makePosting({ db }: TestPortal, clientId: number, mark: string) {
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
