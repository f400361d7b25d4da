import {
  type TestApi,
  type TestClient,
  type TestPortal,
  type TestResponse,
  type TestUser,
  testPortal,
} from './portal.ts'

/** A provider with a catalogue and a seller. */
export interface QuoteWorld {
  readonly portal: TestPortal
  readonly api: TestApi
  readonly sellers: TestClient
  readonly person: TestUser
  readonly colleague: TestUser
  readonly colleagueStaff: number
  readonly outsider: TestApi
  /** Staff of another tenant. */
  readonly otherStaff: TestApi
  readonly contact: number
  /** IRI of the customer; `plan` and the SKUs are IRIs too. */
  readonly customer: string
  readonly email: string
  /** Plan for £45.00 a month. */
  readonly plan: string
  /** Product for 12.5 pence. */
  readonly sku: string
  readonly euroSku: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  draft(values: Record<string, unknown>): Promise<any>
  /** Sends a draft quote, and returns it with the token of the customer's link. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  sent(values?: Record<string, unknown>): Promise<{ quote: any; token: string }>
  sql<T = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<T[]>
  make(path: string, body: Record<string, unknown>): Promise<string>
}

let count = 0

export async function makeQuoteWorld(): Promise<QuoteWorld> {
  const portal = await testPortal()
  const sellers = await portal.client({ company: 'The seller' })
  const unique = `${process.pid}.${++count}`
  // Other tests cover approval by a second person.
  await portal.db.tx('system', (tx) =>
    tx.rows(
      'INSERT INTO quote_settings (client_id, discount_limit_percent, discount_limit_amount) VALUES ($1, 100, 1000000000)',
      [sellers.id],
    ),
  )
  await portal.db.tx('system', (tx) =>
    tx.rows("UPDATE client SET letters_per_day = 10000, vat_number = 'GB 123 4567 82' WHERE id = $1", [sellers.id]),
  )
  const seller = async (name: string) => {
    const it = await sellers.user({
      username: `${name}.${unique}`,
      name,
      email: `${name}.${unique}@seller.example`,
      roles: ['ROLE_STAFF', 'ROLE_BILLING_ADMIN'],
    })
    const [staff] = await sql<{ id: number }>(
      'UPDATE staff SET email = $3 WHERE client_id = $1 AND user_id = $2 RETURNING id',
      [sellers.id, it.id, `${name}.${unique}@seller.example`],
    )
    return { it, staff: (staff as { id: number }).id }
  }
  const sql = <T>(text: string, values: readonly unknown[] = []) =>
    portal.db.tx('system', (tx) => tx.rows<T>(text, values))
  const { it: person } = await seller('sam')
  const { it: colleague, staff: colleagueStaff } = await seller('maya')
  const api = sellers.as(person)
  const make = async (path: string, body: Record<string, unknown>): Promise<string> => {
    const answer = await api.post(path, body)
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`)
    return answer.body['@id']
  }
  const email = `ann.${unique}@acme.example`
  const contact = await make('/api/crm/contacts', { name: 'Ann Carter', companyName: 'Acme Roofing Ltd', email })
  const customer = await make('/api/financial/customers', {
    email,
    contact,
    metadata: { company_name: 'Acme Roofing Ltd', contact_name: 'Ann Carter' },
  })
  const product = await make('/api/financial/products', { name: 'Safety pack' })
  const plan = await make('/api/financial/plans', { name: 'Safety pack', product, amount: 4500, interval: 'month' })
  const sku = await make('/api/financial/skus', { name: 'Printed folder', amount: 12.5 })
  const euroSku = await make('/api/financial/skus', { name: 'Folder, Dublin', amount: 1400, currency: 'EUR' })
  const others = await portal.client()
  const draft: QuoteWorld['draft'] = async (values) => {
    const answer: TestResponse = await api.post('/api/financial/quotes', { customer, ...values })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.body
  }
  return {
    portal,
    sellers,
    api,
    person,
    colleague,
    colleagueStaff,
    outsider: sellers.as(await sellers.user({ roles: ['ROLE_EMPLOYEE'] })),
    otherStaff: others.as(await others.user({ roles: ['ROLE_STAFF', 'ROLE_BILLING_ADMIN'] })),
    contact: Number(contact.split('/').at(-1)),
    customer,
    email,
    plan,
    sku,
    euroSku,
    draft,
    sent: async (values = { plans: [{ plan }] }) => {
      const made = await draft({ sendEmail: false, ...values })
      const sent = await api.post(`${made['@id']}/send`, {})
      if (sent.status !== 200) throw new Error(sent.text)
      const { body } = await api.post(`${made['@id']}/link`, {})
      return { quote: sent.body, token: String(body.link).split('/').at(-1) as string }
    },
    sql,
    make,
  }
}
