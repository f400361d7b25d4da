import { beforeAll, describe, expect, test } from 'vitest'
import { makeInvoiceWorld } from '#test/support/invoices.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
let staff: TestApi
let boss: TestApi
let username: string
beforeAll(async () => {
  const client = await portal.client()
  const person = await client.user({ roles: ['ROLE_STAFF', 'ROLE_BILLING_ADMIN'] })
  username = person.username
  boss = client.as(person)
  staff = client.as(await client.user({ roles: ['ROLE_STAFF'] }))
})

const make = async (path: string, body: Record<string, unknown>) => {
  const made = await boss.post(`/api/financial/${path}`, body)
  expect(made.status).toBe(201)
  return made.body
}
const members = async (url: string) => (await staff.get(url)).body['hydra:member']

describe('products, plans and SKUs', () => {
  test('staff can read the catalogue and only billing administrators can change it', async () => {
    const product = await make('products', { name: 'Health & Safety' })
    expect(product).toMatchObject({ livemode: true, appStatus: { status: 1, retired: false, hasLapsed: false } })
    expect((await staff.get(product['@id'])).body).toMatchObject({
      name: 'Health & Safety',
      created: expect.any(Number),
    })
    expect((await staff.post('/api/financial/products', { name: 'x' })).status).toBe(403)
    expect((await staff.put(product['@id'], { name: 'x' })).status).toBe(403)
  })

  test('products are listed in order of creation and can be filtered to those on sale', async () => {
    const names = ['First', 'Second', 'Third']
    for (const name of names) await make('products', { name: `Sorted ${name}`, livemode: name !== 'Second' })
    const all = await members('/api/financial/products?pagination=false')
    const sorted = all.filter((p: { name: string }) => p.name.startsWith('Sorted')).map((p: { name: string }) => p.name)
    expect(sorted).toEqual(names.map((name) => `Sorted ${name}`))
    const live = await members('/api/financial/products?livemode=true&name=Sorted')
    expect(live.map((p: { name: string }) => p.name)).toEqual(['Sorted First', 'Sorted Third'])
  })

  test('changing a price creates a new version and preserves the earlier ones', async () => {
    const product = await make('products', { name: 'Fleet' })
    const plan = await make('plans', { name: 'Fleet monthly', product: product['@id'], amount: 4900 })
    expect(plan).toMatchObject({
      version: 1,
      currency: 'GBP',
      interval: 'month',
      intervalCount: 1,
      product: { name: 'Fleet' },
    })
    expect((await boss.put(plan['@id'], { amount: 5900 })).body.version).toBe(2)
    expect((await boss.put(plan['@id'], { name: 'Fleet, by the month' })).body.version).toBe(2)
    expect((await boss.put(plan['@id'], { interval: 'year', amount: 59_000 })).body.version).toBe(3)
    const prices = await members(`/api/financial/prices?plan=${plan['@id']}&order[version]=asc`)
    expect(prices).toMatchObject([
      { version: 1, amount: 4900, interval: 'month', author: username },
      { version: 2, amount: 5900, interval: 'month' },
      { version: 3, amount: 59_000, interval: 'year', plan: plan['@id'], sku: null },
    ])
    expect((await boss.put(prices[0]['@id'], { amount: 1 })).status).toBe(405)
    expect((await boss.post('/api/financial/prices', { amount: 1 })).status).toBe(405)
    expect((await members(`/api/financial/plans?product=${product['@id']}&interval=year`)).length).toBe(1)
  })

  test("an SKU's price may have fractions of a penny, up to four decimal places", async () => {
    const sku = await make('skus', { name: 'Mile', code: 'MILE', amount: 45.1234 })
    expect(sku.amount).toBe(45.1234)
    const refused = await boss.put(sku['@id'], { amount: 45.12345 })
    expect([refused.status, refused.body.violations[0]?.propertyPath]).toEqual([422, 'amount'])
    expect((await members(`/api/financial/prices?sku=${sku['@id']}`)).length).toBe(1)
  })

  test.each([
    { amount: -1 },
    { amount: 1.5 },
    { amount: 1e12 },
    { currency: 'XYZ' },
    { interval: 'week' },
    { name: '' },
  ])('a plan with the invalid values %o is rejected', async (more) => {
    const product = await make('products', { name: 'P' })
    const body = { name: 'Plan', product: product['@id'], amount: 100, ...more }
    expect([400, 422]).toContain((await boss.post('/api/financial/plans', body)).status)
  })

  test('applications can be filtered by code, and tax rates above 100% are rejected', async () => {
    await make('applications', { name: 'Safety', code: 'sfp' })
    expect(await members('/api/financial/applications?code=sfp')).toMatchObject([{ name: 'Safety' }])
    await make('tax_rates', { name: 'Odd', percent: 17.5, from: '2008-12-01' })
    expect(await members('/api/financial/tax_rates')).toMatchObject([{ percent: 17.5, from: '2008-12-01' }])
    expect((await boss.post('/api/financial/tax_rates', { name: 'x', percent: 101 })).status).toBe(422)
  })

  test('the UK VAT rates are set up for the provider by default', async () => {
    const provider = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
    const { body } = await provider.get('/api/financial/tax_rates')
    expect(body['hydra:member'].map((r: { percent: number }) => r.percent)).toEqual(expect.arrayContaining([20, 5, 0]))
  })
})

describe('coupons', () => {
  test('coupons are sorted by ascending percentage, fixed amounts last', async () => {
    for (const more of [{ percentOff: 25 }, { amountOff: 500 }, { percentOff: 12.5 }])
      await make('coupons', { name: 'Ordered', ...more })
    const list = await members('/api/financial/coupons?name=Ordered')
    expect(list.map((c: { percentOff: number | null }) => c.percentOff)).toEqual([12.5, 25, null])
  })

  test('coupons can also be created at the old URL', async () => {
    const made = await boss.post('/api/financial/coupon', { name: 'Old', percentOff: 5 })
    expect([made.status, made.headers.location]).toEqual([201, made.body['@id']])
    expect((await staff.post('/api/financial/coupon', { name: 'Old', percentOff: 5 })).status).toBe(403)
    expect((await staff.get(made.body['@id'])).body).toMatchObject({ duration: 'once', timesRedeemed: 0, plans: [] })
  })

  test("a coupon can be limited to plans, but not to a plan that doesn't exist", async () => {
    const product = await make('products', { name: 'P' })
    const plan = await make('plans', { name: 'Plan', product: product['@id'], amount: 100 })
    const body = { name: 'Limited', percentOff: 5, plans: [plan['@id'], `/api/plans/${plan.id}`] }
    expect((await make('coupons', body)).plans).toEqual([plan['@id']])
    const wrong = { name: 'Limited', percentOff: 5, plans: ['/api/financial/plans/999999999'] }
    expect((await boss.post('/api/financial/coupons', wrong)).status).toBe(400)
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['no discount', {}, 'percentOff'],
    ['both', { percentOff: 5, amountOff: 5 }, 'percentOff'],
    ['0%', { percentOff: 0 }, 'percentOff'],
    ['101%', { percentOff: 101 }, 'percentOff'],
    ['more than four decimal places', { percentOff: 1.23456 }, 'percentOff'],
    ['a duration in periods but no number of periods', { percentOff: 5, duration: 'periods' }, 'durationPeriods'],
    ['a maximum of zero uses', { percentOff: 5, maxRedemptions: 0 }, 'maxRedemptions'],
  ])('coupons with %s are rejected', async (_, more, path) => {
    const answer = await boss.post('/api/financial/coupons', { name: 'Wrong', ...more })
    expect([answer.status, answer.body.violations[0].propertyPath]).toEqual([422, path])
  })

  test("a coupon's terms can't be changed once it has been used", async () => {
    const coupon = await make('coupons', { name: 'Promised', percentOff: 20, maxRedemptions: 5 })
    await staff.post('/api/financial/customers', { email: 'a@a.example', coupon: coupon['@id'] })
    const answer = await boss.put(coupon['@id'], { percentOff: 10 })
    expect([answer.status, answer.body.violations[0].propertyPath]).toEqual([422, 'percentOff'])
    expect((await boss.put(coupon['@id'], { name: 'Promised still' })).status).toBe(200)
  })
})

describe('VAT rates', () => {
  test.each([
    ['a new line with 13.37% VAT', { description: 'X', quantity: 1, unitAmount: 100, taxPercent: 13.37 }],
    [
      'a new line with 13% standard VAT',
      { description: 'X', quantity: 1, unitAmount: 100, taxCode: 'standard', taxPercent: 13 },
    ],
  ])('%s is rejected when an invoice is created or changed', async (_, line) => {
    const w = await makeInvoiceWorld()
    const rejected = [422, expect.stringContaining('lines[0].taxPercent: The VAT rates in use are 20, 5, 0%')]
    const post = await w.api.post('/api/financial/invoices', { customer: w.customer, lines: [line] })
    expect([post.status, post.body['hydra:description']]).toEqual(rejected)
    const { '@id': iri } = await w.invoice()
    for (const answer of [await w.api.put(iri, { lines: [line] }), await w.api.patch(iri, { lines: [line] })])
      expect([answer.status, answer.body['hydra:description']]).toEqual(rejected)
  })
})
