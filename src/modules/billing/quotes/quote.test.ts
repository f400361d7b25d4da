import { beforeAll, describe, expect, test } from 'vitest'
import { makeQuoteWorld, type QuoteWorld } from '#test/support/quotes.ts'
import { PART_QUANTITY_MESSAGE } from '../lines/line.ts'

let w: QuoteWorld
beforeAll(async () => {
  w = await makeQuoteWorld()
})

describe('quotes', () => {
  test('a new quote is a numbered draft owned by its author, with totals calculated from its lines', async () => {
    const { status, body, headers } = await w.api.post('/api/financial/quotes', {
      customer: w.customer,
      status: '/statuses/1',
      taxPercent: '20.0',
      plans: [{ plan: w.plan, quantity: 2 }],
      skus: [{ sku: w.sku, quantity: 3 }],
      additionalItems: [{ description: 'Site visit', quantity: 1.5, unitAmount: 10_000 }],
    })
    expect(status).toBe(201)
    expect(headers.location).toBe(body['@id'])
    expect(body).toMatchObject({
      reference: expect.stringMatching(/^Q-\d{5}$/),
      revision: 1,
      status: '/api/financial/statuses/1',
      state: 'draft',
      company: 'Acme Roofing Ltd',
      emailTo: w.email,
      ownedBy: w.person.username,
      createdBy: w.person.username,
      taxPercent: 20,
      currency: 'GBP',
      plans: [
        { description: 'Safety pack', quantity: 2, unitAmount: 4500, interval: 'month', plan: { '@id': w.plan } },
      ],
      skus: [{ description: 'Printed folder', unitAmount: 12.5, quantity: 3 }],
      additionalItems: [{ description: 'Site visit', unitAmount: 10_000, quantity: 1.5 }],
      // In pence: 9,000 + 37.5 (rounded to 38) + 15,000.
      totals: { subtotal: 24_038, discount: 0, net: 24_038, tax: 4808, gross: 28_846 },
      total: 28_846,
    })
    expect(body.totals.afterwards).toEqual([{ interval: 'month', intervalCount: 1, gross: 10_800 }])
  })

  test('a quote number with more than five digits is shown and found in full', async () => {
    const { '@id': iri, id } = await w.draft({})
    await w.sql('UPDATE quote SET number = 1234567, revision = 2 WHERE id = $1', [id])
    expect((await w.api.get(iri)).body.reference).toBe('Q-1234567/2')
    const found = await w.api.get('/api/financial/quotes?q=q-1234567')
    expect(found.body['hydra:member']).toMatchObject([{ '@id': iri }])
  })

  test("a quote's prices come from the catalogue, whatever the browser sends", async () => {
    const made = await w.draft({ plans: [{ plan: w.plan, unitAmount: 1, currency: 'EUR', interval: 'year' }] })
    expect(made.plans[0]).toMatchObject({ unitAmount: 4500, currency: 'GBP', interval: 'month' })
    expect(made.total).toBe(5400)
    const line = { '@id': made.plans[0]['@id'], plan: w.plan, quantity: 3, unitAmount: 2 }
    const { body } = await w.api.put(made['@id'], { plans: [line], total: 1, totals: {} })
    expect(body.plans).toEqual([
      expect.objectContaining({ '@id': made.plans[0]['@id'], quantity: 3, unitAmount: 4500 }),
    ])
    expect(body.total).toBe(16_200)
  })

  test.each([
    ['0', 0],
    ['100', 100],
    [17.5, 17.5],
  ])('a quote can have VAT of %s', async (given, percent) => {
    const made = await w.draft({ taxPercent: given, additionalItems: [{ description: 'One', unitAmount: 1000 }] })
    expect(made).toMatchObject({ taxPercent: percent, total: 1000 + 10 * percent })
  })

  test.each([
    [{ taxPercent: '101' }, 'taxPercent', 422],
    [{ taxPercent: -1 }, 'taxPercent', 422],
    [{ taxPercent: 'a fifth' }, undefined, 400],
    [{ additionalItems: [{ description: 'One', quantity: 0, unitAmount: 100 }] }, 'additionalItems[0].quantity', 422],
    [{ additionalItems: [{ description: 'One', quantity: -1, unitAmount: 100 }] }, 'additionalItems[0].quantity', 422],
    [
      { additionalItems: [{ description: 'One', quantity: null, unitAmount: 100 }] },
      'additionalItems[0].quantity',
      422,
    ],
    [{ taxPercent: null }, 'taxPercent', 422],
    [{ additionalItems: [{ description: 'One', unitAmount: -100 }] }, 'additionalItems[0].unitAmount', 422],
    [{ additionalItems: [{ description: 'One', unitAmount: 1e12 }] }, 'additionalItems[0].unitAmount', 422],
    [{ additionalItems: [{ description: 'One' }] }, 'additionalItems[0].unitAmount', 422],
    [{ additionalItems: [{ unitAmount: 100 }] }, 'additionalItems[0].description', 422],
    [{ additionalItems: [{ description: 'One', unitAmount: 0.12345 }] }, 'additionalItems[0].unitAmount', 422],
    [{ additionalItems: [{ description: 'One', unitAmount: '100' }] }, undefined, 400],
    [{ additionalItems: 'One' }, undefined, 400],
    [{ plans: [{ quantity: 1 }] }, 'plans[0].plan', 422],
    [{ plans: [{ plan: '/api/financial/plans/99999999' }] }, undefined, 400],
    [{ ownedBy: 'nobody.at.all' }, 'ownedBy', 422],
    [{ customer: '/api/financial/customers/99999999' }, undefined, 400],
    [{ customer: null }, 'customer', 422],
  ])('a quote with the invalid values %j is rejected', async (wrong, path, status) => {
    const answer = await w.api.post('/api/financial/quotes', { customer: w.customer, ...wrong })
    expect(answer.status).toBe(status)
    if (path) expect(answer.body.violations.map((v: { propertyPath: string }) => v.propertyPath)).toContain(path)
  })

  test('a fractional quantity of a plan is rejected when a quote is created, changed or sent', async () => {
    const part = (answer: { status: number; body: { violations?: { propertyPath: string; message: string }[] } }) =>
      expect([answer.status, answer.body.violations]).toEqual([
        422,
        [expect.objectContaining({ propertyPath: 'plans[0].quantity', message: PART_QUANTITY_MESSAGE })],
      ])
    const plans = [{ plan: w.plan, quantity: 1.5 }]
    part(await w.api.post('/api/financial/quotes', { customer: w.customer, plans }))
    const made = await w.draft({ plans: [{ plan: w.plan, quantity: 1 }] })
    const changed = [{ '@id': made.plans[0]['@id'], plan: w.plan, quantity: 0.5 }]
    part(await w.api.put(made['@id'], { plans: changed }))
    part(await w.api.patch(made['@id'], { plans: changed }))
    // This draft was saved before fractional quantities were rejected.
    await w.sql('UPDATE quote_line SET quantity = 1.5 WHERE quote_id = $1', [made.id])
    part(await w.api.post(`${made['@id']}/send`, {}))
  })

  test('all missing fields of a quote are reported together, and an empty quantity counts as missing', async () => {
    const { status, body } = await w.api.post('/api/financial/quotes', {
      customer: w.customer,
      plans: [{ plan: w.plan, quantity: null }],
      additionalItems: [{ description: 'Own line', quantity: 1, unitAmount: null }],
    })
    expect(status).toBe(422)
    expect(body.violations).toEqual([
      expect.objectContaining({ propertyPath: 'plans[0].quantity', message: 'Please enter the quantity' }),
      expect.objectContaining({ propertyPath: 'additionalItems[0].unitAmount' }),
    ])
  })

  test('a quote and its new customer are saved in one transaction', async () => {
    const lead = await w.make('/api/crm/contacts', { name: 'Ben Hill', companyName: 'Hill Joinery', email: '' })
    const customers = async () => (await w.api.get(`/api/financial/customers?contact=${lead}`)).body['hydra:member']
    const quoteOf = (more: Record<string, unknown>) =>
      w.api.post('/api/financial/quotes', {
        customer: null,
        contact: lead,
        emailTo: 'ben@hill.example',
        additionalItems: [{ description: 'One', unitAmount: 100 }],
        ...more,
      })
    const refused = await quoteOf({ additionalItems: [{ description: 'One', unitAmount: null }] })
    expect(refused.body.violations).toMatchObject([{ propertyPath: 'additionalItems[0].unitAmount' }])
    const unsent = await quoteOf({ emailTo: '' })
    expect(unsent.body.violations).toMatchObject([{ propertyPath: 'emailTo' }])
    expect(await customers()).toEqual([])
    expect((await w.api.get(lead)).body.customer).toBeNull()

    const [made, again] = await Promise.all([quoteOf({}), quoteOf({})])
    expect([made.status, again.status]).toEqual([201, 201])
    const known = await customers()
    expect(known).toMatchObject([
      {
        email: 'ben@hill.example',
        companyName: 'Hill Joinery',
        contact: { '@id': lead },
        metadata: { contact_uri: lead },
      },
    ])
    for (const { body } of [made, again])
      expect(body).toMatchObject({
        customer: { '@id': known[0]['@id'] },
        contact: lead,
        company: 'Hill Joinery',
        emailTo: 'ben@hill.example',
      })
    expect((await w.api.get(lead)).body.customer).toBe(known[0]['@id'])
    const other = await w.make('/api/crm/contacts', { companyName: 'Another' })
    expect((await w.api.put(made.body['@id'], { contact: other })).body.contact).toBe(lead)
  })

  test('a quote line in another currency is named in the error', async () => {
    const { status, body } = await w.api.post('/api/financial/quotes', {
      customer: w.customer,
      plans: [{ plan: w.plan }],
      skus: [{ sku: w.euroSku }],
    })
    expect(status).toBe(422)
    expect(body.violations).toEqual([
      expect.objectContaining({ propertyPath: 'skus[0].unitAmount', message: expect.stringContaining('is in EUR') }),
    ])
  })

  test('a quote can have thousands of lines, which are saved in order', async () => {
    const items = Array.from({ length: 500 }, (_, i) => ({ description: `Item ${i}`, unitAmount: i, quantity: 1 }))
    const made = await w.draft({ additionalItems: items })
    expect(made.total).toBe(items.reduce((sum, i) => sum + i.unitAmount + Math.round(i.unitAmount * 0.2), 0))
    const turned = made.additionalItems.toReversed().map((l: { '@id': string }) => ({ ...l }))
    const { body } = await w.api.put(made['@id'], { additionalItems: turned.slice(0, 499) })
    expect(body.additionalItems.map((l: { description: string }) => l.description)).toEqual(
      items
        .toReversed()
        .slice(0, 499)
        .map((i) => i.description),
    )
  })

  test("a quote's owner can be set by username, user or member of staff", async () => {
    for (const ownedBy of [
      w.colleague.username,
      w.colleague.iri,
      `/api/users/${w.colleague.id}`,
      `/api/crm/staff/${w.colleagueStaff}`,
    ])
      expect((await w.draft({ ownedBy })).ownedBy).toBe(w.colleague.username)
  })

  test("only the owner and sales managers can change a quote's owner, and a revision has the same owner", async () => {
    const colleague = w.sellers.as(w.colleague)
    const made = await w.draft({ sendEmail: false, plans: [{ plan: w.plan }] })
    for (const method of ['put', 'patch'] as const)
      expect((await colleague[method](made['@id'], { ownedBy: w.colleague.username })).status).toBe(403)
    expect((await colleague.patch(made['@id'], { message: 'Dear Ann' })).status).toBe(200)
    await w.api.post(`${made['@id']}/send`, {})
    const revised = await colleague.post(`${made['@id']}/revise`, {})
    expect([revised.status, revised.body.ownedBy]).toEqual([200, w.person.username])
    expect((await colleague.patch(revised.body['@id'], { ownedBy: w.colleague.username })).status).toBe(403)
    const manager = w.sellers.as(await w.sellers.user({ roles: ['ROLE_STAFF', 'ROLE_SALES_ADMIN'] }))
    const other = await w.draft({})
    expect((await manager.patch(other['@id'], { ownedBy: w.colleague.username })).body.ownedBy).toBe(
      w.colleague.username,
    )
  })

  test("a quote can be updated by the ID in the body, unless the request's If-Match header is outdated", async () => {
    const made = await w.draft({ additionalItems: [{ description: 'One', unitAmount: 100 }] })
    const seen = (await w.api.get(made['@id'])).headers.etag as string
    const put = (body: object, headers = {}) =>
      w.api.put('/api/financial/quotes', body as Record<string, unknown>, headers)
    expect((await put({ '@id': made['@id'], message: 'Sort order' }, { 'if-match': seen })).body.message).toBe(
      'Sort order',
    )
    expect((await put({ id: made.id, message: 'Second' }, { 'if-match': seen })).status).toBe(412)
    expect((await put({ id: made.id, message: 'Second' })).body).toMatchObject({ message: 'Second', total: 120 })
    expect((await put({ message: 'Whose?' })).status).toBe(400)
    expect((await put({ '@id': '/api/financial/plans/1' })).status).toBe(400)
  })

  test('saving a quote as it was returned changes nothing, in JSON-LD and in plain JSON', async () => {
    const made = await w.draft({
      plans: [{ plan: w.plan, quantity: 2 }],
      additionalItems: [{ description: 'One', unitAmount: 100 }],
    })
    await w.sql("UPDATE quote SET updated_at = updated_at - interval '1 day' WHERE id = $1", [made.id])
    for (const accept of ['application/ld+json', 'application/json']) {
      const before = await w.api.get(made['@id'], { accept })
      expect((await w.api.put(made['@id'], before.body)).status).toBe(200)
      expect((await w.api.get(made['@id'], { accept })).body).toEqual(before.body)
    }
  })

  test('a quote rejects lines that belong to another quote', async () => {
    const one = await w.draft({ additionalItems: [{ description: 'One', unitAmount: 100 }] })
    const two = await w.draft({ additionalItems: [{ description: 'Two', unitAmount: 100 }] })
    const stolen = { '@id': one.additionalItems[0]['@id'], description: 'Mine now', unitAmount: 1 }
    expect((await w.api.put(two['@id'], { additionalItems: [stolen] })).status).toBe(400)
    // A line can't move to another list.
    expect((await w.api.put(one['@id'], { plans: [{ ...stolen, plan: w.plan }] })).status).toBe(400)
    expect((await w.api.get(one['@id'])).body.additionalItems).toEqual(one.additionalItems)
  })

  test('quotes are listed with their customers, newest first', async () => {
    const one = await w.draft({})
    const two = await w.draft({})
    const { status, body } = await w.api.get(`${w.customer}/quotes?itemsPerPage=2`)
    expect(status).toBe(200)
    expect(body['hydra:member'].map((q: { id: number }) => q.id)).toEqual([two.id, one.id])
    expect((await w.api.get('/api/financial/customers/99999999/quotes')).status).toBe(404)
    const drafts = await w.api.get('/api/financial/quotes?state=draft&order[id]=desc&itemsPerPage=1')
    expect(drafts.body['hydra:member'][0].id).toBe(two.id)
  })

  test('quotes are accessible only to staff', async () => {
    const made = await w.draft({})
    for (const [api, status] of [
      [w.outsider, 403],
      [w.portal.anonymous, 401],
    ] as const) {
      expect((await api.get(made['@id'])).status).toBe(status)
      expect((await api.post('/api/financial/quotes', { customer: w.customer })).status).toBe(status)
      expect((await api.post(`${made['@id']}/send`, {})).status).toBe(status)
      expect((await api.get(`${made['@id']}/pdf`)).status).toBe(status)
    }
    // Another client's staff can access only their own quotes.
    expect((await w.otherStaff.get(made['@id'])).status).toBe(404)
    expect((await w.otherStaff.put(made['@id'], { message: 'x' })).status).toBe(404)
    expect((await w.otherStaff.post('/api/financial/quotes', { customer: w.customer })).status).toBe(400)
  })

  test("a draft quote has a PDF, whose file name is the quote's reference", async () => {
    const made = await w.draft({ plans: [{ plan: w.plan }], terms: '<p>Thirty days, <strong>strictly</strong>.</p>' })
    const { status, headers, text } = await w.api.get(`${made['@id']}/pdf`)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/pdf')
    expect(headers['content-disposition']).toContain(`${made.reference}.pdf`)
    expect(text.startsWith('%PDF-')).toBe(true)
  })
})

describe('quote statuses', () => {
  test('the API lists the six quote statuses in order', async () => {
    const { body } = await w.api.get('/api/financial/statuses')
    expect(body['hydra:member'].map((s: { id: number; name: string }) => [s.id, s.name])).toEqual([
      [1, 'draft'],
      [2, 'open'],
      [3, 'accepted'],
      [4, 'declined'],
      [5, 'expired'],
      [6, 'cancelled'],
    ])
  })
})
