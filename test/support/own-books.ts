import { grantPacks, type TestApi, type TestClient, type TestPortal, testPortal } from './portal.ts'

/** A client that issues its own invoices, just after the provider has given it the invoicing pack. */
export interface InvoicingClientWorld {
  readonly portal: TestPortal
  readonly client: TestClient
  /**
   * `books` issues invoices, `admin` is the client's administrator and may not invoice, and `employee` is an employee.
   */
  readonly books: TestApi
  readonly admin: TestApi
  readonly employee: TestApi
  make(path: string, body: Record<string, unknown>): Promise<string>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  issued(values: Record<string, unknown>): Promise<any>
  sql<T = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<T[]>
}

let count = 0

export const INVOICING_CUSTOMER_ADDRESS = { address1: '3 Kiln Road', city: 'York', postcode: 'YO1 1AA' }

export async function makeInvoicingClientWorld(): Promise<InvoicingClientWorld> {
  const portal = await testPortal()
  const client = await portal.client({ company: `Kiln Bricks ${process.pid}.${++count} Ltd` })
  await portal.db.tx('system', async (tx) => {
    await grantPacks(tx, client.id, ['invoicing'])
    await tx.rows('DELETE FROM payment_settings WHERE client_id = $1', [client.id])
  })
  const books = client.as(await client.user({ roles: ['ROLE_INVOICING_FINANCE'] }))
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  await admin.put(client.iri, { ...INVOICING_CUSTOMER_ADDRESS, contactemail: 'office@kiln.example' })
  const make: InvoicingClientWorld['make'] = async (path, body) => {
    const answer = await books.post(path, body)
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`)
    return answer.body['@id']
  }
  return {
    portal,
    client,
    books,
    admin,
    employee: client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] })),
    make,
    issued: async (values) => {
      const answer = await books.post(`${await make('/api/financial/invoices', values)}/issue`, {})
      if (answer.status !== 200) throw new Error(answer.text)
      return answer.body
    },
    sql: (text, values = []) => portal.db.tx('system', (tx) => tx.rows(text, values)),
  }
}

export const createInvoicingCustomer = (w: InvoicingClientWorld, more: Record<string, unknown> = {}): Promise<string> =>
  w.make('/api/financial/customers', {
    email: `site.${process.pid}.${++count}@builder.example`,
    metadata: { company_name: 'Builder & Sons' },
    ...INVOICING_CUSTOMER_ADDRESS,
    ...more,
  })
