import type { Tx } from '#server/db/db.ts'
import { findMatchKeys, indexOpenInvoices, indexPayersByName, type OpenInvoice } from './match.ts'
import type { BankStatementLine } from './statement-lines.ts'

/** Open invoices with one of the numbers, or of one of the pairs of customer and amount due. */
const OPEN = `WITH wanted AS (
    SELECT i.id, i.number, i.customer_id, i.currency, i.amount_due FROM invoice i WHERE i.client_id = $1 AND i.state = 'open' AND substring(i.number FROM '\\d{1,15}$')::bigint = ANY($2::bigint[])
    UNION SELECT i.id, i.number, i.customer_id, i.currency, i.amount_due FROM (SELECT DISTINCT customer, amount FROM unnest($3::bigint[], $4::bigint[]) p (customer, amount)) p
      JOIN invoice i ON i.client_id = $1 AND i.customer_id = p.customer AND i.amount_due = p.amount AND i.state = 'open')
  SELECT id::int, number, customer_id::int AS customer, currency, amount_due::int AS "amountDue" FROM wanted ORDER BY id`
const PAYERS = `SELECT id::int, company_name, contact_name, billing_name FROM customer WHERE client_id = $1 AND NOT retired`

interface PayerNameRow {
  readonly id: number
  readonly company_name: string | null
  readonly contact_name: string | null
  readonly billing_name: string
}

/** Returns the customers by name, and the open invoices that the lines may pay. */
export async function loadMatchIndexes(tx: Tx, clientId: number, lines: readonly BankStatementLine[]) {
  const names = await tx.rows<PayerNameRow>(PAYERS, [clientId])
  const payers = indexPayersByName(
    names.map(({ id, company_name, contact_name, billing_name }) => ({
      id,
      names: [company_name, contact_name, billing_name].flatMap((one) => one || []),
    })),
  )
  const { numbers, customers, amounts } = findMatchKeys(lines, payers)
  const open = await tx.rows<OpenInvoice>(OPEN, [clientId, numbers, customers, amounts])
  return { open: indexOpenInvoices(open), payers }
}
