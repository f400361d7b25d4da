import { beforeAll, describe, expect, test } from 'vitest'
import { makeSalesWorld, type SalesWorld } from '#test/support/sales.ts'

let w: SalesWorld
beforeAll(async () => {
  w = await makeSalesWorld()
})

const retire = (iri: string, api = w.finance) => api.put(iri, { retired: true })
const saysNo = async (answer: Promise<{ status: number; body: { code?: string; detail?: string } }>, words: string) => {
  const { status, body } = await answer
  expect([status, body.detail]).toEqual([409, expect.stringContaining(words)])
}
const change = async (of: { '@id': string }, body: Record<string, unknown>) => {
  const { token } = (await w.finance.post(`${of['@id']}/preview`, body)).body
  expect((await w.finance.post(`${of['@id']}/change`, { ...body, token })).status).toBe(200)
}
const settle = async (customer: string, invoice: { '@id': string; amountDue: number }) =>
  expect(
    (
      await w.finance.post('/api/financial/charges', {
        customer,
        invoice: invoice['@id'],
        method: 'bank',
        amount: invoice.amountDue,
        receivedAt: new Date().toISOString(),
      })
    ).status,
  ).toBe(201)

describe('records in use by subscriptions or payments', () => {
  test("a plan and its product can't be retired while a subscription, even a paused one, uses the plan", async () => {
    const product = await w.make('/api/financial/products', { name: 'Needed' })
    const plan = await w.plan2({ name: 'Needed', amount: 1000, product })
    const other = await w.plan2({ name: 'Other', amount: 1000 })
    const customer = await w.buyer()
    const [one] = (await w.sold({ customer, plans: [{ plan }, { plan: other }] })).subscriptions
    await saysNo(retire(plan), '“Needed” is used by 1 subscription.')
    await saysNo(retire(product), '“Needed” is used by 1 subscription.')
    await saysNo(w.finance.patch(plan, { retired: true }), 'First switch or remove the plan in each subscription')
    const bulk = await w.finance.post('/api/financial/plans/bulk', {
      action: 'retire',
      ids: [Number(plan.split('/').at(-1))],
    })
    expect(bulk.body).toMatchObject({ done: [], refused: [{ code: 'in_use' }] })
    await expect(
      w.sql('UPDATE plan SET retired = true WHERE id = $1', [Number(plan.split('/').at(-1))]),
    ).rejects.toThrow('is not retired')
    // If a product is only taken off sale, existing subscriptions to it continue.
    expect((await w.finance.put(product, { livemode: false })).status).toBe(200)
    await change(one, { way: 'pause' })
    await saysNo(retire(plan), '“Needed” is used by 1 subscription.')
    await change(one, { way: 'resume' })
    const item = (await w.api.get(one['@id'])).body.items.find(
      (i: { until: string | null; description: string }) => i.until === null && i.description === 'Needed',
    )
    await change(one, { way: 'remove', item: item['@id'] })
    expect((await retire(plan)).status).toBe(200)
    expect((await retire(product)).status).toBe(200)
  })

  test("a coupon can't be retired while it is assigned to a customer or an open quote", async () => {
    const coupon = await w.make('/api/financial/coupons', { name: 'On hold', percentOff: 10 })
    const customer = await w.buyer({ coupon })
    await saysNo(retire(coupon), 'has “On hold”. First remove the coupon from each customer')
    await w.api.put(customer, { coupon: null })
    const { quote } = await w.sent({ customer, plans: [{ plan: w.plan }], coupon })
    await saysNo(retire(coupon), `“On hold” is used on ${quote.reference}`)
    await w.api.post(`${quote['@id']}/cancel`, { reason: 'No' })
    expect((await retire(coupon)).status).toBe(200)
  })

  test("a customer's currency can't be changed while subscriptions, invoices or an open quote use it", async () => {
    const customer = await w.buyer()
    const euros = (api = w.api) => api.put(customer, { currency: 'EUR' })
    const { quote } = await w.sent({ customer, plans: [{ plan: w.plan }] })
    await saysNo(euros(), `${quote.reference} is open in GBP`)
    await w.api.post(`${quote['@id']}/cancel`, { reason: 'No' })
    const { subscriptions, invoices } = await w.sold({ customer, plans: [{ plan: w.plan }] })
    expect((await euros()).status).toBe(422)
    await settle(customer, invoices[0])
    await saysNo(euros(), 'has a subscription in GBP')
    await saysNo(w.api.patch(customer, { currency: 'USD' }), 'has a subscription in GBP')
    await expect(
      w.sql("UPDATE customer SET currency = 'EUR' WHERE id = $1", [Number(customer.split('/').at(-1))]),
    ).rejects.toThrow('keeps the currency')
    expect((await w.api.put(customer, { currency: 'GBP' })).status).toBe(200)
    expect((await w.finance.delete(subscriptions[0]['@id'])).status).toBe(204)
    const draft = await w.api.post('/api/financial/invoices', {
      customer,
      lines: [{ description: 'x', quantity: 1, unitAmount: 100 }],
    })
    await saysNo(euros(), 'A draft invoice')
    expect((await w.api.delete(draft.body['@id'])).status).toBe(204)
    expect((await euros()).body.currency).toBe('EUR')
  })

  test("while a payment is pending, the customer can't be retired and the card can't be removed", async () => {
    const customer = await w.buyer()
    const id = Number(customer.split('/').at(-1))
    const [card] = await w.sql<{ id: string }>(
      `INSERT INTO card (client_id, customer_id, brand, last4, exp_month, exp_year, gateway, gateway_id, is_default)
       SELECT client_id, id, 'visa', '4242', 12, 2049, 'former', 'pm_under_way_' || id, true FROM customer WHERE id = $1 RETURNING id`,
      [id],
    )
    const [charge] = await w.sql<{ id: string }>(
      `INSERT INTO charge (client_id, customer_id, card_id, method, amount, currency, gateway)
       SELECT client_id, id, $2, 'card', 1200, 'GBP', 'test' FROM customer WHERE id = $1 RETURNING id`,
      [id, card?.id],
    )
    await saysNo(retire(customer), 'A payment of £12.00 by this customer is pending')
    await saysNo(w.api.put(customer, { currency: 'EUR' }), 'A payment of £12.00')
    const bulk = await w.api.post('/api/financial/customers/bulk', { action: 'retire', ids: [id] })
    expect(bulk.body).toMatchObject({ done: [], refused: [{ code: 'in_use' }] })
    await saysNo(w.api.get(`/api/financial/cards/detach/${card?.id}`), 'A payment with this card is in progress')
    await saysNo(w.api.post(`/api/financial/cards/${card?.id}/detach`, {}), 'A payment with this card is in progress')
    await w.sql("UPDATE charge SET state = 'failed' WHERE id = $1", [charge?.id])
    expect((await w.api.post(`/api/financial/cards/${card?.id}/detach`, {})).status).toBe(200)
    expect((await retire(customer)).status).toBe(200)
  })
})
