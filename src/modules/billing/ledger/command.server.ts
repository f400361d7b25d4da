import { parseArgs } from 'node:util'
import { formatMoney } from '#kernel/money.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { parseClientOption } from '#server/engine/module.ts'
import type { Engine } from '#server/engine/types.ts'

interface BalanceMismatchRow {
  readonly id: string
  readonly currency: string
  readonly kept: string
  readonly sum: string
}

interface Check {
  readonly text: string
  readonly said: (id: number, sum: string, kept: string) => string
}

/** Returns SQL for the sum that each record of a type has moved into or out of the bank and the payment service. */
const MOVED_BY = (type: string) =>
  `SELECT t.source_id AS id, sum(e.amount) AS sum FROM ledger_transaction t JOIN ledger_entry e ON e.client_id = t.client_id AND e.transaction_id = t.id
   WHERE t.client_id = $1 AND (t.source = '${type}' OR t.source LIKE '${type} _%') AND e.account IN ('clearing', 'bank') GROUP BY t.source_id`

/** Consistency checks for a client's books. Each check is one query over the ledger. */
const CHECKS: readonly Check[] = [
  {
    text: `SELECT transaction_id AS id, currency, 0 AS kept, sum(amount) AS sum FROM ledger_entry WHERE client_id = $1
      GROUP BY transaction_id, currency HAVING sum(amount) <> 0 ORDER BY transaction_id LIMIT 100`,
    said: (id, sum) => `Transaction ${id} sums to ${sum}, not to zero.`,
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
    said: (id, sum, kept) => `Customer ${id} has a balance of ${kept}, but their entries sum to ${sum}.`,
  },
  {
    text: `SELECT h.id, h.currency, coalesce(e.sum, 0) AS sum, CASE h.state WHEN 'succeeded' THEN h.amount WHEN 'disputed' THEN h.amount - h.amount_disputed ELSE 0 END - h.fee - h.dispute_fee AS kept
      FROM charge h LEFT JOIN (${MOVED_BY('Charge')}) e ON e.id = h.id
      WHERE h.client_id = $1 AND coalesce(e.sum, 0) <> CASE h.state WHEN 'succeeded' THEN h.amount WHEN 'disputed' THEN h.amount - h.amount_disputed ELSE 0 END - h.fee - h.dispute_fee ORDER BY h.id LIMIT 100`,
    said: (id, sum, kept) => `Payment ${id} moved ${kept}, but its entries sum to ${sum}.`,
  },
  {
    text: `SELECT r.id, r.currency, coalesce(e.sum, 0) AS sum, CASE r.state WHEN 'succeeded' THEN -r.amount ELSE 0 END AS kept
      FROM refund r LEFT JOIN (${MOVED_BY('Refund')}) e ON e.id = r.id
      WHERE r.client_id = $1 AND coalesce(e.sum, 0) <> CASE r.state WHEN 'succeeded' THEN -r.amount ELSE 0 END ORDER BY r.id LIMIT 100`,
    said: (id, sum, kept) => `Refund ${id} moved ${kept}, but its entries sum to ${sum}.`,
  },
  {
    text: `SELECT i.id, i.currency, CASE i.state WHEN 'void' THEN 0 ELSE i.total - i.amount_credited - i.amount_written_off END AS kept, coalesce(e.sum, 0) AS sum FROM invoice i
      LEFT JOIN (SELECT e.invoice_id, sum(e.amount) AS sum FROM ledger_entry e JOIN ledger_transaction t ON t.client_id = e.client_id AND t.id = e.transaction_id
        WHERE e.client_id = $1 AND e.account = 'receivable' AND e.invoice_id IS NOT NULL AND t.kind IN ('invoice', 'void', 'credit', 'badDebt') GROUP BY e.invoice_id) e ON e.invoice_id = i.id
      WHERE i.client_id = $1 AND i.state <> 'draft' AND CASE i.state WHEN 'void' THEN 0 ELSE i.total - i.amount_credited - i.amount_written_off END <> coalesce(e.sum, 0) ORDER BY i.id LIMIT 100`,
    said: (id, sum, kept) => `Invoice ${id} has ${kept} outstanding, but its entries sum to ${sum}.`,
  },
  {
    text: `SELECT 0 AS id, coalesce(d.currency, e.currency) AS currency, coalesce(d.sum, 0) AS kept, coalesce(e.sum, 0) AS sum
      FROM (SELECT currency, sum(net - earned) AS sum FROM deferred_income WHERE client_id = $1 GROUP BY currency) d
      FULL JOIN (SELECT currency, -sum(amount) AS sum FROM ledger_entry WHERE client_id = $1 AND account = 'deferred' GROUP BY currency) e ON e.currency = d.currency
      WHERE coalesce(d.sum, 0) <> coalesce(e.sum, 0)`,
    said: (_, sum, kept) =>
      `The deferred income on invoice lines is ${kept}, but the ledger’s deferred income is ${sum}.`,
  },
]

/** Checks a client's books, and returns a sentence for each inconsistency. */
export async function findLedgerInconsistencies({ db }: Engine, clientId: number): Promise<string[]> {
  const faults = CHECKS.map(async ({ text, said }) => {
    const found = await db.tx('system', (tx) => tx.rows<BalanceMismatchRow>(text, [clientId]))
    return found.map(({ id, currency, sum, kept }) =>
      said(Number(id), formatMoney(Number(sum), currency), formatMoney(Number(kept), currency)),
    )
  })
  return (await settleAll(...faults)).flat()
}

/** Runs `ledger check [--client N]`. Throws an error that lists the inconsistencies, if there are any. */
export async function runLedgerCommand(engine: Engine, args: string[]): Promise<string> {
  const { values } = parseArgs({ args, options: { client: { type: 'string', default: '0' } } })
  const faults = await findLedgerInconsistencies(engine, parseClientOption(values.client))
  if (!faults.length) return 'The ledger is consistent.'
  throw new Error(`The ledger is not consistent.\n${faults.join('\n')}`)
}
