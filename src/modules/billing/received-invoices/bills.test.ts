import { beforeAll, describe, expect, test } from 'vitest'
import { extractResponseText } from '#test/pdf/words.ts'
import { makeInvoicingClientWorld } from '#test/support/own-books.ts'
import { createCustomer, issueTestInvoice } from '#test/support/payments.ts'
import { type TestApi, type TestClient, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const BILLS = '/api/financial/bills'
let money: TestApi
let home: TestClient
let admin: TestApi
beforeAll(async () => {
  money = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'] }))
  home = await portal.client()
  admin = home.as(await home.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
})

const billed = async (client: TestClient, pence: number) => {
  const customer = await createCustomer(money)
  expect((await money.put(customer, { client: client.iri })).status).toBe(200)
  const made = await issueTestInvoice(money, customer, pence)
  const { id, number } = (await money.get(made['@id'])).body
  return { id, number, customer }
}
const list = async (api: TestApi) => (await api.get(BILLS)).body['hydra:member'] as { id: number }[]

describe('invoices from the provider', () => {
  test("an invoice from the provider can be read and paid by the client's administrator", async () => {
    const { id, number, customer } = await billed(home, 12_300)
    const draft = await money.post('/api/financial/invoices', {
      customer,
      lines: [{ description: 'Not issued', quantity: 1, unitAmount: 100 }],
    })
    expect(draft.status).toBe(201)
    const mine = await list(admin)
    expect(mine).toContainEqual(expect.objectContaining({ '@id': `${BILLS}/${id}`, number, state: 'open' }))
    expect(mine.map((bill) => bill.id)).not.toContain(draft.body.id)
    expect((await admin.get(`${BILLS}/${id}`)).body).toMatchObject({ number, amountDue: expect.any(Number) })
    expect(await extractResponseText(await admin.get(`${BILLS}/${id}/pdf`))).toContain(number)
    const { url } = (await admin.post(`${BILLS}/${id}/pay-link`, {})).body
    const page = (await portal.anonymous.get(`/api/financial/payments/${String(url).split('/').at(-1)}`)).body
    expect(page).toMatchObject({ number, state: 'open', card: true })
  })

  test("an invoice from the provider is hidden from other clients, from the client's reseller and from the client's other users", async () => {
    const reseller = await portal.client({ isReseller: true })
    const carried = await portal.client({ resellerId: reseller.id })
    const { id } = await billed(carried, 4500)
    const people = [
      [await home.user({ roles: ['ROLE_CLIENT_ADMIN'] }), home, 404],
      [await reseller.user({ roles: ['ROLE_RESELLER', 'ROLE_CLIENT_ADMIN'] }), reseller, 404],
      [await carried.user({ roles: ['ROLE_EMPLOYEE'] }), carried, 403],
      [await carried.user({ roles: ['ROLE_INVOICING', 'ROLE_STAFF'] }), carried, 403],
    ] as const
    for (const [user, of, status] of people) {
      const api = of.as(user)
      for (const path of ['', '/pdf']) expect((await api.get(`${BILLS}/${id}${path}`)).status).toBe(status)
      expect((await api.post(`${BILLS}/${id}/pay-link`, {})).status).toBe(status)
      if (status === 404) expect((await list(api)).map((bill) => bill.id)).not.toContain(id)
    }
    for (const odd of ['0', '-1', 'x', `${id} OR true`, '9'.repeat(30)])
      expect((await admin.get(`${BILLS}/${encodeURIComponent(odd)}`)).status).toBe(404)
  })

  test("a client's received invoices include only those from the provider", async () => {
    const w = await makeInvoicingClientWorld()
    const customer = await w.make('/api/financial/customers', { email: 'a@b.example', metadata: { company_name: 'B' } })
    await portal.db.tx('system', (tx) =>
      tx.rows('UPDATE customer SET account_id = $1 WHERE client_id = $2', [home.id, w.client.id]),
    )
    const theirs = await w.issued({ customer, lines: [{ description: 'x', quantity: 1, unitAmount: 100 }] })
    expect((await w.books.get(theirs['@id'])).status).toBe(200)
    expect((await list(admin)).map((bill) => bill.id)).not.toContain(theirs.id)
    expect((await admin.get(`${BILLS}/${theirs.id}`)).status).toBe(404)
  })

  test("an invoiced customer can't be moved to another company, which could then read the invoices", async () => {
    const [first, second] = [await portal.client(), await portal.client()]
    const { id, customer } = await billed(first, 700)
    const client = second.iri
    const answers = [await money.put(customer, { client }), await money.patch(customer, { client: null })]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(2).fill([409, 'in_use']))
    await money.put(customer, { metadata: { client_id: second.id } })
    const [ofFirst, ofSecond] = [
      first.as(await first.user({ roles: ['ROLE_CLIENT_ADMIN'] })),
      second.as(await second.user({ roles: ['ROLE_CLIENT_ADMIN'] })),
    ]
    const ids = async (api: TestApi) => (await list(api)).map((bill) => bill.id)
    expect([await ids(ofFirst), await ids(ofSecond)]).toEqual([[id], []])
    expect((await ofSecond.get(`${BILLS}/${id}/pdf`)).status).toBe(404)

    // A billing administrator corrects a wrong link in two steps.
    const boss = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_BILLING_ADMIN'] }))
    expect((await boss.put(customer, { client })).status).toBe(409)
    expect((await boss.put(customer, { client: null })).status).toBe(200)
    expect(await ids(ofFirst)).toEqual([])
    expect((await money.put(customer, { client })).status).toBe(200)
    expect(await ids(ofSecond)).toEqual([id])
  })

  test('a customer can be moved to another company until something is sold to them, and linked for the first time later', async () => {
    const customer = await createCustomer(money)
    const [first, second] = [await portal.client(), await portal.client()]
    for (const client of [first.iri, second.iri, null]) expect((await money.put(customer, { client })).status).toBe(200)
    const { id } = await issueTestInvoice(money, customer, 700)
    expect((await money.put(customer, { client: first.iri })).status).toBe(200)
    const reader = first.as(await first.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect((await list(reader)).map((bill) => bill.id)).toEqual([id])
  })
})
