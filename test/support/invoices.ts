import type { TestApi } from './portal.ts'
import { makeQuoteWorld, type QuoteWorld } from './quotes.ts'

/** A VAT-registered provider and a customer to invoice. */
export interface InvoiceWorld extends QuoteWorld {
  /** A user with the finance role. */
  readonly finance: TestApi
  /** Creates a draft invoice. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  invoice(values?: Record<string, unknown>): Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  issued(values?: Record<string, unknown>): Promise<any>
  /** Returns the ledger entries of a record by account, in pence. */
  entries(invoiceId: number): Promise<Record<string, number>>
  newCustomer(more?: Record<string, unknown>): Promise<string>
  balance(customer?: string): Promise<number>
}

export const CUSTOMER_ADDRESS = { address1: '1 Mill Lane', city: 'Leeds', postcode: 'LS1 1AA' }
let count = 0

/**
 * Lets one person decide everything in a world. Approval by a second person is tested in
 * `approvals/money-limit.test.ts` and `approvals/credit-limit.test.ts`.
 */
export const raiseMoneyLimit = (w: Pick<QuoteWorld, 'sql' | 'sellers'>): Promise<unknown> =>
  w.sql(
    'INSERT INTO payment_settings (client_id, refund_limit) VALUES ($1, 1000000000) ON CONFLICT (client_id) DO UPDATE SET refund_limit = 1000000000',
    [w.sellers.id],
  )

export async function makeInvoiceWorld(): Promise<InvoiceWorld> {
  const w = await makeQuoteWorld()
  const finance = w.sellers.as(await w.sellers.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'] }))
  await w.sql(
    "UPDATE client SET vat_number = 'GB 123 4567 82', address1 = '14 Wharf Street', city = 'Leeds', postcode = 'LS1 1AA' WHERE id = $1",
    [w.sellers.id],
  )
  await raiseMoneyLimit(w)
  await w.api.put(w.customer, CUSTOMER_ADDRESS)
  const line = { description: 'Site visit', quantity: 2, unitAmount: 10_000 }
  const invoice: InvoiceWorld['invoice'] = async (values = {}) => {
    const answer = await w.api.post('/api/financial/invoices', { customer: w.customer, lines: [line], ...values })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.body
  }
  return {
    ...w,
    finance,
    invoice,
    issued: async (values) => {
      const { '@id': iri } = await invoice(values)
      const answer = await finance.post(`${iri}/issue`, {})
      if (answer.status !== 200) throw new Error(answer.text)
      return answer.body
    },
    entries: async (id) => {
      const rows = await w.sql<{ account: string; amount: string }>(
        'SELECT account, sum(amount) AS amount FROM ledger_entry WHERE client_id = $1 AND invoice_id = $2 GROUP BY account HAVING sum(amount) <> 0',
        [w.sellers.id, id],
      )
      return Object.fromEntries(rows.map((r) => [r.account, Number(r.amount)]))
    },
    newCustomer: (more = {}) =>
      w.make('/api/financial/customers', {
        email: `buyer.${process.pid}.${++count}@buyer.example`,
        metadata: { company_name: `Buyer ${count} Ltd` },
        billingName: `Buyer ${count} Ltd`,
        ...CUSTOMER_ADDRESS,
        ...more,
      }),
    balance: async (of = w.customer) => (await w.api.get(of)).body.accountBalance,
  }
}
