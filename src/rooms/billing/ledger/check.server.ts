import { formatMoney } from '#kernel/money.ts'
import type { Engine } from '#server/engine/engine.ts'

interface Found {
  readonly id: string
  readonly currency: string
  readonly kept: string
  readonly sum: string
}

interface Check {
  readonly text: string
  readonly said: (id: number, sum: string, kept: string) => string
}

/** What the books of a client would say twice, and differently; each is one aggregate over the entries. */
const CHECKS: readonly Check[] = [
  {
    text: `SELECT transaction_id AS id, currency, 0 AS kept, sum(amount) AS sum FROM ledger_entry WHERE client_id = $1
      GROUP BY transaction_id, currency HAVING sum(amount) <> 0 ORDER BY transaction_id LIMIT 100`,
    said: (id, sum) => `Transaction ${id} comes to ${sum}, not to nil.`,
  },
  {
    text: `SELECT t.id, 'GBP' AS currency, 0 AS kept, 0 AS sum FROM ledger_transaction t WHERE t.client_id = $1
      AND NOT EXISTS (SELECT FROM ledger_entry e WHERE e.client_id = t.client_id AND e.transaction_id = t.id) ORDER BY t.id LIMIT 100`,
    said: (id) => `Transaction ${id} has no entries.`,
  },
  {
    text: `SELECT c.id, c.currency, c.account_balance AS kept, coalesce(e.sum, 0) AS sum FROM customer c
      LEFT JOIN (SELECT customer_id, sum(amount) AS sum FROM ledger_entry WHERE client_id = $1 AND account = 'receivable' GROUP BY customer_id) e ON e.customer_id = c.id
      WHERE c.client_id = $1 AND c.account_balance <> coalesce(e.sum, 0) ORDER BY c.id LIMIT 100`,
    said: (id, sum, kept) => `Customer ${id} is said to owe ${kept}, and their entries come to ${sum}.`,
  },
]

/** Looks through the books of a client; resolves to a sentence for each thing that is wrong. */
export async function ledgerFaults({ db }: Engine, clientId: number): Promise<string[]> {
  const faults: string[] = []
  for (const { text, said } of CHECKS) {
    const found = await db.tx('system', (tx) => tx.rows<Found>(text, [clientId]))
    for (const { id, currency, sum, kept } of found)
      faults.push(said(Number(id), formatMoney(Number(sum), currency), formatMoney(Number(kept), currency)))
  }
  return faults
}
