import { beforeAll, describe, expect, test } from 'vitest'
import { leadCustomer } from '#modules/crm/contacts/contact.ts'
import { type TestApi, type TestClient, testPortal } from '#test/support/portal.ts'
import { customer } from './customer.ts'

const portal = await testPortal()
let client: TestClient
let staff: TestApi
let boss: TestApi
let finance: TestApi
let username: string

beforeAll(async () => {
  client = portal.provider
  const person = await client.user({ roles: ['ROLE_STAFF'] })
  username = person.username
  staff = client.as(person)
  finance = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'] }))
  boss = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_BILLING_ADMIN'] }))
})

let n = 0
const lead = async (more: Record<string, unknown> = {}) =>
  (
    await staff.post('/api/crm/contacts', {
      companyName: `Lead ${++n} Ltd`,
      name: 'Ann Lead',
      email: `lead${n}@lead.example`,
      phone: '01632 960001',
      ...more,
    })
  ).body
const makeCoupon = async (more: Record<string, unknown> = {}) =>
  (await boss.post('/api/financial/coupons', { name: `Coupon ${++n}`, percentOff: 10, ...more })).body
const notesOf = async (contact: { id: number }) =>
  (await staff.get(`/api/crm/contacts/${contact.id}/actions`)).body['hydra:member']

describe('a customer', () => {
  test('a new customer is stored with its creator, e-mail address, coupon and metadata, and is linked to its contact', async () => {
    const contact = await lead()
    const coupon = await makeCoupon()
    const made = await staff.post('/api/financial/customers', {
      email: 'a@a.example',
      coupon: coupon['@id'],
      metadata: {
        contact_uri: contact['@id'],
        company_name: 'Acme Ltd',
        contact_name: 'Ann',
        createdBy: 'somebody.else',
      },
    })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      email: 'a@a.example',
      companyName: 'Acme Ltd',
      contactName: 'Ann',
      coupon: { '@id': coupon['@id'], percentOff: 10 },
      contact: { '@id': contact['@id'] },
      metadata: { createdBy: username },
      accountBalance: 0,
      currency: 'GBP',
    })
    expect((await staff.get(contact['@id'])).body.customer).toBe(made.body['@id'])
    expect((await staff.get(coupon['@id'])).body.timesRedeemed).toBe(1)
    expect((await staff.get(made.body['@id'])).body).toMatchObject({ id: made.body.id, email: 'a@a.example' })
  })

  test("a customer created from a contact copies the contact's details", async () => {
    const contact = await lead({ companyName: 'Known Ltd' })
    const made = await staff.post('/api/financial/customers/from', { contact: contact['@id'] })
    expect(made.status).toBe(201)
    expect(made.headers.location).toBe(made.body['@id'])
    expect(made.body).toMatchObject({
      email: contact.email,
      companyName: 'Known Ltd',
      contact: { '@id': contact['@id'] },
      metadata: { contact_uri: contact['@id'], contact_id: contact.id, telephone: '01632 960001', createdBy: username },
    })
  })

  test('a customer created from a client is linked to the contact that became the client', async () => {
    const firm = await portal.client({ company: 'Won Ltd' })
    const contact = await lead({ client: firm.iri })
    const made = await staff.post('/api/financial/customers/from', { client: firm.iri, email: 'won@won.example' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      email: 'won@won.example',
      companyName: 'Won Ltd',
      client: firm.iri,
      contact: { '@id': contact['@id'] },
      metadata: { client_id: firm.id },
    })
    const again = await staff.post('/api/financial/customers/from', { client: firm.iri, email: 'x@x.example' })
    expect(again.status).toBe(422)
  })

  test('a contact has at most one customer', async () => {
    const contact = await lead()
    await staff.post('/api/financial/customers/from', { contact: contact['@id'] })
    const again = await staff.post('/api/financial/customers/from', { contact: contact['@id'] })
    expect(again.status).toBe(422)
    expect(again.body['hydra:description']).toContain('customer')
    const both = await Promise.all([1, 2].map(() => lead()).map(async (c) => (await c)['@id'])).then(([iri]) =>
      Promise.all([1, 2].map(() => staff.post('/api/financial/customers/from', { contact: iri }))),
    )
    expect(both.map((a) => a.status).sort()).toEqual([201, 422])
  })

  test.each<[string, Record<string, unknown>, number, string]>([
    ['no e-mail address', {}, 422, 'email'],
    ['metadata that is a list', { email: 'a@a.example', metadata: [1] }, 422, 'metadata'],
    ['nested metadata', { email: 'a@a.example', metadata: { a: { b: 1 } } }, 422, 'metadata.a'],
    ["a contact that doesn't exist", { email: 'a@a.example', metadata: { contact_id: 999999999 } }, 400, ''],
    ["a coupon that doesn't exist", { email: 'a@a.example', coupon: '/api/financial/coupons/999999999' }, 400, ''],
  ])('a customer with %s is rejected', async (_, body, status, path) => {
    const answer = await staff.post('/api/financial/customers', body)
    expect(answer.status).toBe(status)
    if (path) expect(answer.body.violations[0].propertyPath).toBe(path)
  })

  test('saving a customer without changes writes nothing', async () => {
    const made = (
      await staff.post('/api/financial/customers', { email: 'same@a.example', metadata: { b: '1', a: '2' } })
    ).body
    const before = await audits(made.id)
    const sent = { ...made, metadata: { a: '2', b: '1' } }
    const same = await staff.put(made['@id'], sent)
    expect(same.status).toBe(200)
    expect(same.body).toEqual(made)
    expect(await audits(made.id)).toBe(before)
    await staff.put(made['@id'], { email: 'other@a.example' })
    expect(await audits(made.id)).toBe(before + 1)
  })

  test("changing a customer's coupon adds a note with the coupon result (41), written by the user who made the change", async () => {
    const contact = await lead()
    const made = (await staff.post('/api/financial/customers/from', { contact: contact['@id'] })).body
    const coupon = await makeCoupon({ name: 'Spring', percentOff: 15, duration: 'periods', durationPeriods: 3 })
    expect((await staff.put(made['@id'], { coupon: coupon['@id'] })).status).toBe(200)
    const [note] = await notesOf(contact)
    expect(note).toMatchObject({
      notes: 'Coupon changed from no coupon to Spring (15% off for 3 periods).',
      author: username,
      lastResult: { id: 41 },
    })
    const detached = await staff.get(`/api/financial/coupons/detach/${made.id}`)
    expect(detached.status).toBe(200)
    expect(detached.body.coupon).toBeNull()
    expect((await notesOf(contact))[0]).toMatchObject({
      notes: 'Coupon changed from Spring (15% off for 3 periods) to no coupon.',
      lastResult: { id: 41 },
    })
    const nothing = await staff.get(`/api/financial/coupons/detach/${made.id}`)
    expect([nothing.status, nothing.body['hydra:description']]).toEqual([409, 'This customer has no coupon to remove.'])
  })

  test("a customer's coupon can't be removed by naming a different coupon", async () => {
    const coupon = await makeCoupon()
    const made = (await staff.post('/api/financial/customers', { email: 'd@d.example', coupon: coupon['@id'] })).body
    const other = await makeCoupon()
    const at = (id: number) => `/api/financial/coupons/detach/${id}?customer=${encodeURIComponent(made['@id'])}`
    expect((await staff.get(at(other.id))).status).toBe(409)
    expect((await staff.get(`${made['@id']}/coupons`)).body['hydra:member']).toMatchObject([{ id: coupon.id }])
    expect((await staff.get(at(coupon.id))).body.coupon).toBeNull()
    expect((await staff.get(`${made['@id']}/coupons`)).body).toMatchObject({ 'hydra:totalItems': 0 })
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['has expired', { expiresAt: '2020-01-31T12:00:00+00:00' }, 'expired on 31/01/2020'],
    ['has been withdrawn', { retired: true }, 'has been withdrawn'],
  ])("a coupon that %s can't be assigned to a customer", async (_, more, words) => {
    const coupon = await makeCoupon(more)
    const answer = await staff.post('/api/financial/customers', { email: 'e@e.example', coupon: coupon['@id'] })
    expect(answer.status).toBe(422)
    expect(answer.body.violations[0]).toMatchObject({ propertyPath: 'coupon' })
    expect(answer.body.violations[0].message).toContain(words)
  })

  test("of two simultaneous requests for a coupon's last use, only one succeeds", async () => {
    const coupon = await makeCoupon({ maxRedemptions: 1 })
    const both = await Promise.all(
      [1, 2].map((k) => staff.post('/api/financial/customers', { email: `last${k}@e.example`, coupon: coupon['@id'] })),
    )
    expect(both.map((a) => a.status).sort()).toEqual([201, 422])
    const refused = both.find((a) => a.status === 422)
    expect(refused?.body.violations[0].message).toContain('has been used up: it could be used once')
    expect((await staff.get(coupon['@id'])).body.timesRedeemed).toBe(1)
  })

  test("a customer's balance changes add up, and the payment date is recorded", async () => {
    const made = (await staff.post('/api/financial/customers', { email: 'b@b.example' })).body
    const paid = await finance.put(made['@id'], {
      accountBalanceChange: -5000,
      paymentReceivedDate: '2026-03-01T10:00:00+00:00',
    })
    expect(paid.body).toMatchObject({ accountBalance: -5000, paymentReceivedDate: '2026-03-01T10:00:00+00:00' })
    expect(paid.body).not.toHaveProperty('accountBalanceChange')
    const both = await Promise.all(
      [1, 2].map((n) =>
        finance.put(made['@id'], { accountBalanceChange: 2000, accountBalanceReason: `Fee ${n}`, keepBoth: true }),
      ),
    )
    expect(both.map((a) => a.status)).toEqual([200, 200])
    expect((await staff.get(made['@id'])).body.accountBalance).toBe(-1000)
    // Sending the record back unchanged records no balance change.
    expect((await staff.put(made['@id'], (await staff.get(made['@id'])).body)).body.accountBalance).toBe(-1000)
    const keyed = () =>
      finance.post(`${made['@id']}/balance`, { change: 1000, reason: 'Fee' }, { 'idempotency-key': `k${made.id}` })
    await keyed()
    await keyed()
    expect((await staff.get(made['@id'])).body.accountBalance).toBe(0)
    expect((await finance.put(made['@id'], { accountBalanceChange: 1.5 })).status).toBe(400)
    expect((await finance.put(made['@id'], { accountBalanceChange: 2e9 })).status).toBe(422)
    const [{ changes }] = (await portal.db.tx('system', (tx) =>
      tx.rows(
        "SELECT changes FROM audit WHERE type = 'Customer' AND row_id = $1 AND verb = 'update' ORDER BY id LIMIT 1",
        [made.id],
      ),
    )) as [{ changes: Record<string, unknown> }]
    expect(changes.accountBalance).toEqual([0, -5000])
  })

  test('a new customer can be created from a contact that was detached from its customer', async () => {
    const contact = await lead()
    const made = (await staff.post('/api/financial/customers/from', { contact: contact['@id'] })).body
    const freed = await staff.put(made['@id'], { contact: null })
    expect([freed.status, freed.body.contact]).toEqual([200, null])
    expect((await staff.get(contact['@id'])).body.customer).toBeNull()
    expect(await linksOf(contact.id)).toEqual([
      [null, made.id],
      [made.id, null],
    ])
    const again = await staff.post('/api/financial/customers/from', { contact: contact['@id'] })
    expect(again.status).toBe(201)
    expect((await staff.get(contact['@id'])).body.customer).toBe(again.body['@id'])
  })

  test('a customer can move to another contact, unless that contact already has a customer', async () => {
    const [first, second, taken] = [await lead(), await lead(), await lead()]
    await staff.post('/api/financial/customers/from', { contact: taken['@id'] })
    const made = (await staff.post('/api/financial/customers/from', { contact: first['@id'] })).body
    const refused = await staff.put(made['@id'], { contact: taken['@id'] })
    expect([refused.status, refused.body.violations[0].propertyPath]).toEqual([422, 'contact'])
    const moved = await staff.put(made['@id'], { contact: second['@id'] })
    expect([moved.status, moved.body.contact['@id']]).toEqual([200, second['@id']])
    expect((await staff.get(first['@id'])).body.customer).toBeNull()
    expect((await staff.get(second['@id'])).body.customer).toBe(made['@id'])
    expect(await linksOf(first.id)).toEqual([
      [null, made.id],
      [made.id, null],
    ])
    expect(await linksOf(second.id)).toEqual([[null, made.id]])
  })

  test('leads can be filtered by customer, and the CRM and billing modules declare the customer resource identically', async () => {
    const lead = (await staff.post('/api/crm/contacts', { companyName: 'Relations Ltd' })).body
    const made = (await staff.post('/api/financial/customers', { email: 'r@x.example', contact: lead['@id'] })).body
    for (const value of [made.id, made['@id']]) {
      const found = (await staff.get(`/api/crm/contacts?customer=${encodeURIComponent(value)}`)).body['hydra:member']
      expect(found.map((c: { id: number }) => c.id)).toEqual([lead.id])
    }
    const wrong = await staff.put(lead['@id'], { customer: 'Anything' })
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_iri'])
    const { type, url, table, tenant, title, allow } = customer
    expect(leadCustomer).toMatchObject({ type, url, table, tenant, title, allow: { read: allow.read } })
  })

  test('a customer can be found by company, person, e-mail and telephone', async () => {
    const made = (
      await staff.post('/api/financial/customers', {
        email: 'quaint@find.example',
        metadata: { company_name: 'Quirkybank Ltd', contact_name: 'Zora Findme', telephone: '+44 1632 960777' },
      })
    ).body
    for (const q of ['quirkyb', 'zora', 'quaint@', '01632 960777']) {
      const found = await staff.get(`/api/financial/customers?q=${encodeURIComponent(q)}`)
      expect(found.body['hydra:member'].map((c: { id: number }) => c.id)).toContain(made.id)
    }
  })

  test("the provider's customers are not visible to clients", async () => {
    const made = (await staff.post('/api/financial/customers', { email: 'p@p.example' })).body
    const other = await portal.client()
    const admin = other.as(await other.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect((await admin.get(made['@id'])).status).toBe(403)
    const strange = other.as(await other.user({ roles: ['ROLE_STAFF'] }))
    expect((await strange.get(made['@id'])).status).toBe(404)
    expect((await portal.anonymous.get(made['@id'])).status).toBe(401)
  })
})

describe('an insurance policy sale', () => {
  test('one request returns everything sold to a lead and its client, except what the reader may not see', async () => {
    const made = await portal.client({ company: 'Client of a lead' })
    const contact = await lead({ client: made.iri })
    const records = async (api = staff) => api.get(`/api/crm/contacts/${contact.id}/customer_records`)
    const before = (await records()).body
    expect(before).toMatchObject({ quotes: { total: 0, rows: [] }, invoices: { total: 0, rows: [] } })
    expect(before.applications.total).toBe(before.applications.rows.length)
    const owner = (await staff.post('/api/financial/customers/from', { contact: contact['@id'] })).body
    expect(owner['@id']).toBeDefined()
    const quoted = (await staff.post('/api/financial/quotes', { customer: owner['@id'], sendEmail: false })).body
    expect(quoted.detail).toBeUndefined()
    const { body } = await records()
    expect(body.quotes).toMatchObject({ total: 1, rows: [{ '@id': quoted['@id'], reference: quoted.reference }] })
    for (const name of ['applications', 'cards', 'invoices', 'subscriptions', 'products'])
      expect([name, body[name].rows]).toEqual([name, expect.any(Array)])
    // Only consultants can read a client's documents.
    expect(body.webDocuments).toBeNull()
    const consultant = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
    expect((await records(consultant)).body.webDocuments).toMatchObject({ total: 0, rows: [] })
    expect((await records(made.as(await made.user()))).status).toBe(403)
  })

  test('an insurance sale adds a note with the specified wording', async () => {
    const contact = await lead()
    const sold = await staff.post('/api/financial/insurance_sales', {
      contact: contact['@id'],
      policyType: 'Public Liability',
      price: 120.5,
    })
    expect(sold.status).toBe(201)
    expect((await notesOf(contact))[0]).toMatchObject({
      notes: 'Sold Public Liability Insurance Policy for £120.50.',
      lastResult: { id: 42 },
      author: username,
    })
    await staff.post('/api/financial/insurance_sales', { contact: contact['@id'], policyType: 'Van', price: 99 })
    expect((await notesOf(contact))[0].notes).toBe('Sold Van Insurance Policy for £99.')
    const list = await staff.get(`/api/crm/contacts/${contact.id}/insurance_sales`)
    expect(list.body['hydra:member']).toMatchObject([
      { policyType: 'Van', price: 99 },
      { policyType: 'Public Liability', price: 120.5 },
    ])
  })

  test.each([{ price: 1.234 }, { price: -1 }, {}, { price: 10, policyType: '' }])(
    'an insurance sale with %o is rejected',
    async (more) => {
      const contact = await lead()
      const body = { contact: contact['@id'], policyType: 'Van', ...more }
      const before = (await notesOf(contact)).length
      expect((await staff.post('/api/financial/insurance_sales', body)).status).toBe(422)
      expect((await notesOf(contact)).length).toBe(before)
    },
  )
})

const audits = async (id: number): Promise<number> => {
  const rows = await portal.db.tx('system', (tx) =>
    tx.rows("SELECT 1 FROM audit WHERE type = 'Customer' AND row_id = $1", [id]),
  )
  return rows.length
}

/** Returns the old and new customer links from the contact's audit trail. */
const linksOf = async (id: number) => {
  const rows = await portal.db.tx('system', (tx) =>
    tx.rows<{ customer: unknown }>(
      "SELECT changes -> 'customer' AS customer FROM audit WHERE type = 'Contact' AND row_id = $1 AND changes ? 'customer' AND verb = 'update' ORDER BY id",
      [id],
    ),
  )
  return rows.map((row) => row.customer)
}
