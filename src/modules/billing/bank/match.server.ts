import type { Tx } from '#server/db/db.ts'
import { mapInSlices } from '#server/slices.ts'
import { indexOpenInvoices, type MatchFacts, type OpenInvoice, type OpenInvoiceIndex, PayerIndex } from './match.ts'

/** Open invoices with one of the numbers, or with one of the pairs of customer and amount due. */
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

/** Returns the customers by the names under which they may pay. */
export async function loadPayers(tx: Tx, clientId: number): Promise<PayerIndex> {
  const payers = new PayerIndex()
  await mapInSlices(
    await tx.rows<PayerNameRow>(PAYERS, [clientId]),
    ({ id, company_name, contact_name, billing_name }) =>
      payers.add({ id, names: [company_name, contact_name, billing_name].flatMap((one) => one || []) }),
  )
  return payers
}

/** Returns the open invoices that lines may pay. */
export async function loadOpenInvoices(
  tx: Tx,
  clientId: number,
  lines: readonly { readonly amount: number; readonly facts: MatchFacts }[],
): Promise<OpenInvoiceIndex> {
  const numbers = [...new Set(lines.flatMap(({ facts }) => facts.numbers))]
  // An amount finds an invoice only if a single customer is named.
  const named = lines.filter(({ facts }) => facts.customers.length === 1)
  const customers = named.map(({ facts }) => facts.customers[0])
  const amounts = named.map(({ amount }) => amount)
  return indexOpenInvoices(await tx.rows<OpenInvoice>(OPEN, [clientId, numbers, customers, amounts]))
}
