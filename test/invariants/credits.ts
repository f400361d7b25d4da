import type { TestPortal } from '../support/portal.ts'

let made = 0

const SUPPLIER = JSON.stringify({
  name: 'Seller',
  address: '',
  companyNumber: '',
  vatNumber: '',
  telephone: '',
  email: '',
})
const BUYER = JSON.stringify({ name: 'Buyer', contactName: '', address: [], vatNumber: '', email: '' })

/**
 * Inserts a customer's fully credited invoice by raw SQL, and returns the IDs of the credit note and its line. The
 * database accepts a credit note only together with the items that it credits.
 */
export function insertCreditNote({ db }: TestPortal, clientId: number, customer: number, mark: string) {
  const n = ++made
  return db.tx('system', async (tx) => {
    const one = async (sql: string, values: readonly unknown[]) =>
      ((await tx.rows<{ id: number }>(`${sql} RETURNING id`, values))[0] as { id: number }).id
    const sums = '100, 0, 100, 20, 120'
    const invoice = await one(
      `INSERT INTO invoice (client_id, customer_id, notes, subtotal, discount, net, tax, total) VALUES ($1, $2, $3, ${sums})`,
      [clientId, customer, mark],
    )
    const line = await one(
      `INSERT INTO invoice_line (client_id, invoice_id, description, quantity, unit_amount, amount, net, tax) VALUES ($1, $2, $3, 1, 100, 100, 100, 20)`,
      [clientId, invoice, `${mark} line`],
    )
    for (const [kind, sign] of [
      ['invoice', 1],
      ['credit', -1],
    ] as const) {
      const posted = await one(
        `INSERT INTO ledger_transaction (client_id, kind, day, description, customer_id, source, source_id) VALUES ($1, $2, '2026-06-01', $3, $4, 'Invoice', $5)`,
        [clientId, kind, `${mark} ${kind}`, customer, invoice],
      )
      await tx.rows(
        `INSERT INTO ledger_entry (client_id, transaction_id, day, account, amount, currency, customer_id, invoice_id)
         SELECT $1, $2, '2026-06-01', account, amount * $5::int, 'GBP', $3, $4 FROM (VALUES ('receivable', 120), ('sales', -100), ('vat', -20)) a (account, amount)`,
        [clientId, posted, customer, invoice, sign],
      )
    }
    await tx.rows(
      `UPDATE invoice SET state = 'paid', number = $3, date = '2026-06-01', tax_point = '2026-06-01', due_on = '2026-06-15', supplier = $4, buyer = $5,
         issued_at = portal_now(), amount_credited = total WHERE client_id = $1 AND id = $2`,
      [clientId, invoice, `INV-T${n}`, SUPPLIER, BUYER],
    )
    const note = await one(
      `INSERT INTO credit_note (client_id, number, invoice_id, customer_id, date, reason, currency, net, tax, total, totals, supplier, buyer)
       VALUES ($1, $2, $3, $4, '2026-06-01', $5, 'GBP', 100, 20, 120, '{}', $6, $7)`,
      [clientId, `CN-T${n}`, invoice, customer, `${mark} reason`, SUPPLIER, BUYER],
    )
    const credited = await one(
      `INSERT INTO credit_note_line (client_id, credit_note_id, line_id, description, net, tax) VALUES ($1, $2, $3, $4, 100, 20)`,
      [clientId, note, line, `${mark} credited`],
    )
    return { CreditNote: note, CreditNoteLine: credited }
  })
}
