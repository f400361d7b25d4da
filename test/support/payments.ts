import { expect } from 'vitest'
import type { TestApi, TestPortal } from './portal.ts'

let n = 0

/** Creates a customer and returns its IRI. */
export const createCustomer = async (api: TestApi): Promise<string> => {
  const made = await api.post('/api/financial/customers', {
    email: `pays${++n}.${Date.now()}@c.example`,
    billingName: 'Payer Ltd',
    address1: '1 Mill Lane',
    city: 'Leeds',
    postcode: 'LS1 1AA',
  })
  expect(made.status).toBe(201)
  return made.body['@id']
}

/** Enters and saves a card on the test gateway's page, and returns the card's IRI. */
export async function saveTestCard(
  portal: TestPortal,
  api: TestApi,
  customer: string,
  number: string,
): Promise<string> {
  const { url } = (await api.post('/api/financial/cards/setup', { customer })).body
  const card = await enterCardAtGateway(portal, url, number)
  const made = await api.post('/api/financial/cards', { card, customer })
  expect(made.status).toBe(201)
  return made.body['@id']
}

/** Enters a card on the test gateway's page, and returns the card's ID at the gateway. */
export async function enterCardAtGateway(portal: TestPortal, url: string, number: string): Promise<string> {
  const b = 'x-boundary'
  const typed = { number, expiry: '12/49', cvc: '123' }
  const parts = Object.entries(typed).map(
    ([k, v]) => `--${b}\r\ncontent-disposition: form-data; name="${k}"\r\n\r\n${v}\r\n`,
  )
  const page = await portal.anonymous.send('POST', url, {
    headers: { 'content-type': `multipart/form-data; boundary=${b}` },
    body: `${parts.join('')}--${b}--\r\n`,
  })
  return /card:"(pm_test_[0-9a-f]{32})"/.exec(page.text)?.[1] ?? ''
}

/** Issues an invoice for this many pence, without VAT. */
export async function issueTestInvoice(
  api: TestApi,
  customer: string,
  pence: number,
): Promise<{ '@id': string; id: number; number: string }> {
  const line = { description: 'Something', quantity: 1, unitAmount: pence, taxCode: 'zero', taxPercent: 0 }
  const made = await api.post('/api/financial/invoices', { customer, lines: [line] })
  const issued = await api.post(`${made.body['@id']}/issue`, {})
  expect([issued.status, issued.body['hydra:description'], issued.body.amountDue]).toEqual([200, undefined, pence])
  return issued.body
}

/** Returns the ledger entries of a record, with kind, account and pence. */
export async function loadLedgerEntries(
  portal: TestPortal,
  source: string,
  id: number,
): Promise<[string, string, number][]> {
  const rows = await portal.db.tx('system', (tx) =>
    tx.rows<{ kind: string; account: string; amount: string }>(
      `SELECT t.kind, e.account, e.amount FROM ledger_transaction t JOIN ledger_entry e ON e.client_id = t.client_id AND e.transaction_id = t.id
       WHERE t.source = $1 AND t.source_id = $2 ORDER BY t.kind, e.account, e.amount`,
      [source, id],
    ),
  )
  return rows.map(({ kind, account, amount }) => [kind, account, Number(amount)])
}

/**
 * Asserts that the customer's balance matches their ledger entries, and that each payment's refunded amount is the
 * total of its successful refunds.
 */
export async function expectBalanced(portal: TestPortal, customer: string): Promise<void> {
  const [row] = await portal.db.tx('system', (tx) =>
    tx.rows<{ record: string; books: string; off: string }>(
      `SELECT c.account_balance AS record,
         (SELECT coalesce(sum(amount), 0) FROM ledger_entry e WHERE e.client_id = c.client_id AND e.customer_id = c.id AND e.account = 'receivable') AS books,
         (SELECT count(*) FROM charge h WHERE h.client_id = c.client_id AND h.customer_id = c.id
            AND h.amount_refunded <> (SELECT coalesce(sum(r.amount), 0) FROM refund r WHERE r.client_id = h.client_id AND r.charge_id = h.id AND r.state = 'succeeded')) AS off
       FROM customer c WHERE c.client_id = 0 AND c.id = $1`,
      [Number(customer.split('/').at(-1))],
    ),
  )
  expect([Number(row?.record), Number(row?.off)]).toEqual([Number(row?.books), 0])
}
