import {
  defineSavedEvidence,
  type EvidenceCheck,
  type EvidenceSpec,
  type StoredColumnValues,
} from '#kernel/evidence.ts'
import { formatMoney } from '#kernel/money.ts'
import { financeRequest } from '../approvals/finance-request.ts'
import { creditNote } from '../credits/credit-note.ts'
import { invoice } from '../invoices/invoice.ts'
import { charge, refund } from '../payments/charge.ts'
import { discountApproval, quote } from '../quotes/quote.ts'
import { ledgerTransaction } from './ledger.ts'

/** Returns SQL for the sum that each record of a type has moved into or out of the bank and the payment service. */
const MOVED_BY = (type: string) =>
  `SELECT t.source_id AS id, sum(e.amount) AS sum FROM ledger_transaction t JOIN ledger_entry e ON e.client_id = t.client_id AND e.transaction_id = t.id
   WHERE t.client_id = $1 AND (t.source = '${type}' OR t.source LIKE '${type} _%') AND e.account IN ('clearing', 'bank') GROUP BY t.source_id`

/** A check of a client's books: compares a sum calculated from other rows with the stored sum. */
interface BookCheck {
  readonly text: string
  /** Completes “Invoice 5 …”. Sums are formatted, such as `£1.00`. */
  readonly predicate: (sum: string, kept: string) => string
}

type CheckedTable = 'transaction' | 'customer' | 'payment' | 'refund' | 'invoice'

/** Checks of a client's books, by the type of record that they name. Each is one query over the ledger. */
const BOOK_CHECKS: Readonly<Record<CheckedTable, readonly BookCheck[]>> = {
  transaction: [
    {
      text: `SELECT transaction_id AS id, currency, 0 AS kept, sum(amount) AS sum FROM ledger_entry WHERE client_id = $1
      GROUP BY transaction_id, currency HAVING sum(amount) <> 0 ORDER BY transaction_id LIMIT 100`,
      predicate: (sum) => `sums to ${sum}, not to zero`,
    },
    {
      text: `SELECT t.id, 'GBP' AS currency, 0 AS kept, 0 AS sum FROM ledger_transaction t WHERE t.client_id = $1
      AND NOT EXISTS (SELECT FROM ledger_entry e WHERE e.client_id = t.client_id AND e.transaction_id = t.id) ORDER BY t.id LIMIT 100`,
      predicate: () => 'has no entries',
    },
  ],
  customer: [
    {
      text: `SELECT c.id, c.currency, c.account_balance AS kept, coalesce(e.sum, 0) AS sum FROM customer c
      LEFT JOIN (SELECT customer_id, sum(amount) AS sum FROM ledger_entry WHERE client_id = $1 AND account = 'receivable' GROUP BY customer_id) e ON e.customer_id = c.id
      WHERE c.client_id = $1 AND c.account_balance <> coalesce(e.sum, 0) ORDER BY c.id LIMIT 100`,
      predicate: (sum, kept) => `has a balance of ${kept}, but their entries sum to ${sum}`,
    },
  ],
  payment: [
    {
      text: `SELECT h.id, h.currency, coalesce(e.sum, 0) AS sum, CASE h.state WHEN 'succeeded' THEN h.amount WHEN 'disputed' THEN h.amount - h.amount_disputed ELSE 0 END - h.fee - h.dispute_fee AS kept
      FROM charge h LEFT JOIN (${MOVED_BY('Charge')}) e ON e.id = h.id
      WHERE h.client_id = $1 AND coalesce(e.sum, 0) <> CASE h.state WHEN 'succeeded' THEN h.amount WHEN 'disputed' THEN h.amount - h.amount_disputed ELSE 0 END - h.fee - h.dispute_fee ORDER BY h.id LIMIT 100`,
      predicate: (sum, kept) => `moved ${kept}, but its entries sum to ${sum}`,
    },
  ],
  refund: [
    {
      text: `SELECT r.id, r.currency, coalesce(e.sum, 0) AS sum, CASE r.state WHEN 'succeeded' THEN -r.amount ELSE 0 END AS kept
      FROM refund r LEFT JOIN (${MOVED_BY('Refund')}) e ON e.id = r.id
      WHERE r.client_id = $1 AND coalesce(e.sum, 0) <> CASE r.state WHEN 'succeeded' THEN -r.amount ELSE 0 END ORDER BY r.id LIMIT 100`,
      predicate: (sum, kept) => `moved ${kept}, but its entries sum to ${sum}`,
    },
  ],
  invoice: [
    {
      text: `SELECT i.id, i.currency, CASE i.state WHEN 'void' THEN 0 ELSE i.total - i.amount_credited - i.amount_written_off END AS kept, coalesce(e.sum, 0) AS sum FROM invoice i
      LEFT JOIN (SELECT e.invoice_id, sum(e.amount) AS sum FROM ledger_entry e JOIN ledger_transaction t ON t.client_id = e.client_id AND t.id = e.transaction_id
        WHERE e.client_id = $1 AND e.account = 'receivable' AND e.invoice_id IS NOT NULL AND t.kind IN ('invoice', 'void', 'credit', 'badDebt') GROUP BY e.invoice_id) e ON e.invoice_id = i.id
      WHERE i.client_id = $1 AND i.state <> 'draft' AND CASE i.state WHEN 'void' THEN 0 ELSE i.total - i.amount_credited - i.amount_written_off END <> coalesce(e.sum, 0) ORDER BY i.id LIMIT 100`,
      predicate: (sum, kept) => `has ${kept} outstanding, but its entries sum to ${sum}`,
    },
    {
      text: `SELECT i.id, i.currency, i.net AS kept, sum(l.net) AS sum FROM invoice i JOIN invoice_line l ON l.client_id = i.client_id AND l.invoice_id = i.id
        WHERE i.client_id = $1 AND i.state <> 'draft' GROUP BY i.client_id, i.id HAVING i.net <> sum(l.net) ORDER BY i.id LIMIT 100`,
      predicate: (sum, kept) => `is ${kept} before VAT, but its lines sum to ${sum}`,
    },
    {
      text: `SELECT i.id, i.currency, i.tax AS kept, sum(l.tax) AS sum FROM invoice i JOIN invoice_line l ON l.client_id = i.client_id AND l.invoice_id = i.id
        WHERE i.client_id = $1 AND i.state <> 'draft' GROUP BY i.client_id, i.id HAVING i.tax <> sum(l.tax) ORDER BY i.id LIMIT 100`,
      predicate: (sum, kept) => `has VAT of ${kept}, but that of its lines sums to ${sum}`,
    },
    {
      text: `SELECT i.id, i.currency, i.amount_due AS kept, CASE i.state WHEN 'void' THEN 0 ELSE i.total - i.amount_paid - i.amount_credited - i.amount_written_off END AS sum FROM invoice i
        WHERE i.client_id = $1 AND (i.state IN ('open', 'uncollectible') AND i.amount_due <> i.total - i.amount_paid - i.amount_credited - i.amount_written_off
          OR i.state = 'paid' AND i.total > i.amount_paid + i.amount_credited + i.amount_written_off) ORDER BY i.id LIMIT 100`,
      predicate: (sum, kept) => `has ${kept} to pay, but ${sum} follows from what was paid, credited and written off`,
    },
  ],
}

/** Checks of the deferred income, which belongs to no single record. */
const DEFERRED_INCOME: BookCheck = {
  text: `SELECT 0 AS id, coalesce(d.currency, e.currency) AS currency, coalesce(d.sum, 0) AS kept, coalesce(e.sum, 0) AS sum
      FROM (SELECT currency, sum(net - earned) AS sum FROM deferred_income WHERE client_id = $1 GROUP BY currency) d
      FULL JOIN (SELECT currency, -sum(amount) AS sum FROM ledger_entry WHERE client_id = $1 AND account = 'deferred' GROUP BY currency) e ON e.currency = d.currency
      WHERE coalesce(d.sum, 0) <> coalesce(e.sum, 0)`,
  predicate: (sum, kept) =>
    `The deferred income on invoice lines is ${kept}, but the ledger’s deferred income is ${sum}.`,
}

const toWords = ({ currency, sum, kept }: StoredColumnValues): [string, string] => [
  formatMoney(Number(sum), String(currency)),
  formatMoney(Number(kept), String(currency)),
]

/** All checks of a client's books, each with a function that returns a sentence for a row of its result. */
export const ledgerChecks: readonly {
  readonly text: string
  readonly sentence: (row: StoredColumnValues) => string
}[] = [
  ...Object.entries(BOOK_CHECKS).flatMap(([what, checks]) =>
    checks.map(({ text, predicate }) => ({
      text,
      sentence: (row: StoredColumnValues) =>
        `${what.charAt(0).toUpperCase()}${what.slice(1)} ${Number(row.id)} ${predicate(...toWords(row))}.`,
    })),
  ),
  { text: DEFERRED_INCOME.text, sentence: (row) => DEFERRED_INCOME.predicate(...toWords(row)) },
]

const evidenceChecks = (what: CheckedTable): readonly EvidenceCheck[] =>
  BOOK_CHECKS[what].map(({ text, predicate }) => ({ text, untrue: (row) => `it ${predicate(...toWords(row))}` }))

const nameOf =
  (what: string, column = 'id') =>
  (row: StoredColumnValues) =>
    `${what} ${String(row[column])}`

/**
 * Evidence of money: each save of these records is sealed, for invoices and quotes from their issue. A customer's
 * balance is not sealed, because it can be calculated from the ledger.
 */
export const moneyEvidence: readonly EvidenceSpec[] = [
  defineSavedEvidence({
    of: invoice,
    named: nameOf('invoice', 'number'),
    claims: "t.state <> 'draft'",
    rows: [{ table: 'invoice_line', by: 'invoice_id', named: (row) => `its line ${Number(row.position ?? 0) + 1}` }],
    checks: evidenceChecks('invoice'),
  }),
  defineSavedEvidence({
    of: creditNote,
    named: nameOf('credit note', 'number'),
    rows: [
      { table: 'credit_note_line', by: 'credit_note_id', named: (row) => `its line ${Number(row.position ?? 0) + 1}` },
    ],
  }),
  defineSavedEvidence({
    of: charge,
    named: nameOf('payment'),
    // Counted by the database from the refunds, which are sealed.
    without: ['amount_refunded', 'amount_refunding'],
    checks: evidenceChecks('payment'),
  }),
  defineSavedEvidence({ of: refund, named: nameOf('refund'), checks: evidenceChecks('refund') }),
  defineSavedEvidence({
    of: ledgerTransaction,
    named: nameOf('ledger transaction'),
    rows: [{ table: 'ledger_entry', by: 'transaction_id', named: (row) => `its entry for ${String(row.account)}` }],
    checks: evidenceChecks('transaction'),
  }),
  defineSavedEvidence({
    of: quote,
    named: (row) => `quote ${String(row.reference ?? row.number)}`,
    claims: 't.status_id <> 1',
    rows: [{ table: 'quote_line', by: 'quote_id', named: (row) => `its line ${Number(row.position ?? 0) + 1}` }],
  }),
  defineSavedEvidence({ of: discountApproval, named: nameOf('discount approval') }),
  defineSavedEvidence({ of: financeRequest, named: nameOf('finance request') }),
]
