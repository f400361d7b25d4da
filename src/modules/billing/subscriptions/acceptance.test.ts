import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { makeSalesWorld, type SalesWorld } from '#test/support/sales.ts'

let w: SalesWorld
beforeAll(async () => {
  w = await makeSalesWorld()
})
afterEach(() => moveClock(w.portal.engine, 0))

const seconds = (days: number) => Math.floor(Date.now() / 1000) + days * 86_400
const today = () => Temporal.Now.plainDateISO('Europe/London')

describe('accepted quotes', () => {
  test('accepting a quote creates its first invoice, correct to the penny, and a subscription for each billing interval', async () => {
    const yearly = await w.plan2({ name: 'Handbook', amount: 12_000, interval: 'year' })
    const customer = await w.buyer()
    const { quote, subscriptions, invoices } = await w.sold({
      customer,
      plans: [{ plan: w.plan, quantity: 3 }, { plan: yearly }],
      skus: [{ sku: w.sku, quantity: 10 }],
      additionalItems: [{ description: 'A day on site', unitAmount: 40_000 }],
    })
    expect(quote.billedAt).not.toBeNull()
    expect(subscriptions.map((s) => [s.interval, s.amount, s.status, s.anchor])).toEqual([
      ['month', 13_500, 'active', today().toString()],
      ['year', 12_000, 'active', today().toString()],
    ])
    expect(subscriptions.map((s) => [s.plans, s.perMonth])).toEqual([
      ['Safety pack × 3', 13_500],
      ['Handbook', 1_000],
    ])
    expect(subscriptions[0].renewsOn).toBe(today().add({ months: 1 }).toString())
    const [invoice] = invoices
    expect(invoices).toHaveLength(1)
    expect([invoice.state, invoice.total, invoice.net]).toEqual(['open', quote.total, quote.totals.net])
    const { lines } = (await w.api.get(invoice['@id'])).body
    expect(
      lines.map((l: { description: string; quantity: number; from: string | null }) => [
        l.description,
        l.quantity,
        l.from,
      ]),
    ).toEqual([
      ['Safety pack', 3, today().toString()],
      ['Handbook', 1, today().toString()],
      ['Printed folder', 10, null],
      ['A day on site', 1, null],
    ])
    const changes = await w.all(`/api/financial/subscription_changes?subscription=${subscriptions[0].id}`)
    expect(changes).toMatchObject([{ kind: 'started', invoice: { number: invoice.number } }])
  })

  test('a permanent fixed discount is shared between the subscriptions as in the signed quote', async () => {
    const yearly = await w.plan2({ name: 'Yearly', amount: 45_000, interval: 'year' })
    const coupon = await w.make('/api/financial/coupons', { name: 'Fifty', amountOff: 5000, duration: 'forever' })
    const customer = await w.buyer()
    const { quote, subscriptions, invoices } = await w.sold({
      customer,
      coupon,
      plans: [{ plan: w.plan }, { plan: yearly }],
    })
    expect(invoices[0].total).toBe(quote.total)
    expect(subscriptions.map((s) => s.couponTerms.amountOff).reduce((a, b) => a + b, 0)).toBe(5000)
  })

  const nextNets = async (customer: string, day: Temporal.PlainDate) => {
    await moveClock(w.portal.engine, today().until(day, { largestUnit: 'days' }).days)
    await w.finance.post('/api/financial/billing_runs', {})
    await w.portal.drain()
    const made = await w.all(`/api/financial/invoices?customer=${customer.split('/').at(-1)}&order[id]=asc`)
    return made.map((i) => i.net)
  }
  const add = async (one: { '@id': string }, plan: string) => {
    const body = { way: 'add', plan }
    const { token } = (await w.finance.post(`${one['@id']}/preview`, body)).body
    expect((await w.finance.post(`${one['@id']}/change`, { ...body, token })).status).toBe(200)
  }
  const everyPayment = (values: Record<string, unknown>) =>
    w.make('/api/financial/coupons', { name: 'Every payment', duration: 'forever', ...values })

  test('“£50.00 off every payment” on a plan of £29.00 takes £50.00 off once a plan of £69.00 is added', async () => {
    const [small, large] = [
      await w.plan2({ name: 'Small', amount: 2900 }),
      await w.plan2({ name: 'Large', amount: 6900 }),
    ]
    const customer = await w.buyer()
    const coupon = await everyPayment({ amountOff: 5000 })
    const { subscriptions, invoices } = await w.sold({ customer, coupon, plans: [{ plan: small }] })
    expect(invoices.map((i) => i.net)).toEqual([0])
    expect(subscriptions[0].couponTerms.amountOff).toBe(5000)
    await add(subscriptions[0], large)
    expect(await nextNets(customer, today().add({ months: 1 }))).toEqual([0, 4800, 4800])
  })

  test('“£50.00 off every payment” takes £50.00 off each later payment, although a set-up fee shared the first', async () => {
    const plan = await w.plan2({ name: 'Large', amount: 6900 })
    const customer = await w.buyer()
    const coupon = await everyPayment({ amountOff: 5000 })
    const { quote, subscriptions, invoices } = await w.sold({
      customer,
      coupon,
      plans: [{ plan }],
      additionalItems: [{ description: 'Set-up', unitAmount: 20_000 }],
    })
    expect(invoices.map((i) => i.net)).toEqual([21_900])
    expect(quote.totals.afterwards[0].gross).toBe(2280)
    const half = { way: 'cancelNow', credit: true }
    const { body: preview } = await w.finance.post(`${subscriptions[0]['@id']}/preview`, half)
    // The first payment took £12.83 of the discount off the plan, so its credit is £56.17.
    expect(preview.net).toBe(-5617)
    expect(await nextNets(customer, today().add({ months: 1 }))).toEqual([21_900, 1900])
  })

  test('10% off every payment of a free plan is taken off a plan that is added later', async () => {
    const [free, small] = [await w.plan2({ name: 'Free', amount: 0 }), await w.plan2({ name: 'Small', amount: 2900 })]
    const customer = await w.buyer()
    const coupon = await everyPayment({ percentOff: 10 })
    const { subscriptions } = await w.sold({ customer, coupon, plans: [{ plan: free }] })
    expect(subscriptions[0].couponTerms).toMatchObject({ percentOff: 10 })
    await add(subscriptions[0], small)
    expect(await nextNets(customer, today().add({ months: 1 }))).toEqual([0, 2610, 2610])
  })

  test('if billing starts later, a fixed discount on the first payment is shared as signed, and later payments get it in full', async () => {
    const plan = await w.plan2({ name: 'Large', amount: 6900 })
    const customer = await w.buyer()
    const coupon = await everyPayment({ amountOff: 5000 })
    const { quote, subscriptions, invoices } = await w.sold({
      customer,
      coupon,
      plans: [{ plan }],
      additionalItems: [{ description: 'Set-up', unitAmount: 20_000 }],
      billingCycleAnchor: seconds(40),
      prorate: false,
    })
    const anchor = Temporal.PlainDate.from(subscriptions[0].anchor)
    const nets = await nextNets(customer, anchor.add({ months: 1 }))
    expect(nets).toEqual([invoices[0].net, quote.totals.net - invoices[0].net, 1900])
  })

  test('if billing starts later, items are invoiced on acceptance and plans from the start date', async () => {
    const customer = await w.buyer()
    const plans = [{ plan: w.plan }]
    const skus = [{ sku: w.sku, quantity: 100 }]
    const { subscriptions, invoices } = await w.sold({
      customer,
      plans,
      skus,
      billingCycleAnchor: seconds(40),
      prorate: true,
    })
    const [one] = subscriptions
    expect(invoices.map((i) => [i.state, i.net])).toEqual([['open', 1250]])
    expect([one.charged, one.startedOn, one.chargedFrom]).toEqual([false, today().toString(), today().toString()])
    expect(one.anchor).toBe(one.renewsOn)
    const free = await w.sold({ customer, plans, billingCycleAnchor: seconds(40), prorate: false })
    expect(free.invoices).toEqual([])
    const [trial] = free.subscriptions
    expect([trial.chargedFrom, trial.trialUntil, trial.status]).toEqual([trial.anchor, trial.anchor, 'trialing'])
  })

  test('an accepted quote without plans creates an invoice and no subscription', async () => {
    const { subscriptions, invoices } = await w.sold({ customer: await w.buyer(), skus: [{ sku: w.sku, quantity: 4 }] })
    expect([subscriptions, invoices.length]).toEqual([[], 1])
  })

  test('if the invoice for an accepted quote can’t be issued, the quote remains accepted and the invoice a draft', async () => {
    const customer = await w.buyer({ billingName: '', address1: '', city: '', postcode: '' })
    const { quote, subscriptions, invoices } = await w.sold({ customer, plans: [{ plan: w.plan, quantity: 20 }] })
    expect([quote.state, subscriptions.length]).toEqual(['accepted', 1])
    expect(invoices).toMatchObject([{ state: 'draft', number: '', total: quote.total }])
  })

  test('a quote accepted several times simultaneously is billed once', async () => {
    const { quote, token } = await w.sent({ customer: await w.buyer(), plans: [{ plan: w.plan }] })
    await Promise.all([1, 2, 3, 4].map(() => w.accept(token)))
    expect(await w.all(`/api/financial/invoices?quote=${quote.id}`)).toHaveLength(1)
    expect(await w.all(`/api/financial/subscriptions?quote=${quote.id}`)).toHaveLength(1)
    const again = w.sql(
      'INSERT INTO subscription (client_id, customer_id, quote_id, anchor, started_on, charged_from, current_from, renews_on) SELECT client_id, customer_id, quote_id, anchor, started_on, charged_from, current_from, renews_on FROM subscription WHERE quote_id = $1',
      [quote.id],
    )
    await expect(again).rejects.toThrow(/subscription_quote/)
  })
})

describe('quotes accepted by telephone', () => {
  test('if a customer signs just after the call, the signature is stored once and the quote billed once', async () => {
    const { quote, token } = await w.sent({ customer: await w.buyer(), plans: [{ plan: w.plan }] })
    expect((await w.api.post(`${quote['@id']}/accept-by-phone`, { name: 'Bob Ford' })).status).toBe(200)
    const sign = (name: string) =>
      w.portal.anonymous.post(`/api/financial/acceptances/${token}/accept`, { signature: { name, method: 'typed' } })
    expect((await sign('Ann Ford')).status).toBe(200)
    expect((await sign('Eve Else')).status).toBe(200)
    expect((await w.api.get(quote['@id'])).body).toMatchObject({
      decidedBy: 'Bob Ford',
      takenBy: w.person.username,
      signature: { name: 'Ann Ford' },
    })
    expect(await w.all(`/api/financial/invoices?quote=${quote.id}`)).toHaveLength(1)
  })

  test('only a sales manager can record a call taken by a colleague', async () => {
    const { quote } = await w.sent({ customer: await w.buyer(), plans: [{ plan: w.plan }] })
    const body = { name: 'Bob Ford', takenBy: `/api/crm/staff/${w.colleagueStaff}` }
    expect((await w.api.post(`${quote['@id']}/accept-by-phone`, body)).status).toBe(403)
    const manager = w.sellers.as(await w.sellers.user({ roles: ['ROLE_STAFF', 'ROLE_SALES_ADMIN'] }))
    const done = await manager.post(`${quote['@id']}/accept-by-phone`, body)
    expect([done.status, done.body.takenBy]).toEqual([200, w.colleague.username])
  })

  test('an acceptance by telephone records who accepted, who took the call and the purchase order number', async () => {
    const { quote } = await w.sent({ customer: await w.buyer(), plans: [{ plan: w.plan }] })
    const at = `${quote['@id']}/accept-by-phone`
    expect((await w.api.post(at, { name: '' })).status).toBe(422)
    const done = await w.api.post(at, { name: 'Bob Ford', poNumber: 'PO-77' })
    expect(done.body).toMatchObject({
      state: 'accepted',
      decidedBy: 'Bob Ford',
      poNumber: 'PO-77',
      takenBy: w.person.username,
      signature: null,
    })
    expect(await w.all(`/api/financial/invoices?quote=${quote.id}`)).toMatchObject([
      { poNumber: 'PO-77', state: 'open' },
    ])
    expect(await w.all(`/api/financial/subscriptions?quote=${quote.id}`)).toMatchObject([{ poNumber: 'PO-77' }])
    expect((await w.api.post(at, { name: 'Bob Ford' })).status).toBe(409)
    expect((await w.otherStaff.post(at, { name: 'Bob Ford' })).status).toBe(404)
  })
})

describe('quotes accepted before invoicing was introduced', () => {
  const older = async () => {
    const { quote, token } = await w.sent({ customer: await w.buyer(), plans: [{ plan: w.plan }] })
    await w.sql("UPDATE quote SET status_id = 3, decided_at = now(), decided_by = 'Ann Carter' WHERE id = $1", [
      quote.id,
    ])
    return { quote, token }
  }

  test('a quote accepted before invoicing was introduced is listed and can be converted once by finance staff', async () => {
    const { quote } = await older()
    const waiting = () => w.all('/api/financial/quotes?state=accepted&exists[billedAt]=false')
    expect((await waiting()).map((q) => q.id)).toContain(quote.id)
    const at = `${quote['@id']}/convert`
    expect((await w.api.post(at, {})).status).toBe(403)
    const start = today().subtract({ days: 10 }).toString()
    expect((await w.finance.post(at, { start: today().add({ days: 1 }).toString() })).status).toBe(422)
    expect((await w.finance.post(at, { start })).status).toBe(200)
    expect((await waiting()).map((q) => q.id)).not.toContain(quote.id)
    expect(await w.all(`/api/financial/subscriptions?quote=${quote.id}`)).toMatchObject([{ anchor: start }])
    expect((await w.finance.post(at, {})).status).toBe(409)
  })

  test('converting a quote that was invoiced elsewhere creates a subscription but no invoice', async () => {
    const { quote } = await older()
    expect((await w.finance.post(`${quote['@id']}/convert`, { invoiced: true })).status).toBe(200)
    expect(await w.all(`/api/financial/invoices?quote=${quote.id}`)).toEqual([])
    expect(await w.all(`/api/financial/subscriptions?quote=${quote.id}`)).toMatchObject([{ charged: true }])
  })
})

test('selling a plan notifies the people who set up clients, and a sale without a plan does not', async () => {
  const admin = await w.sellers.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'] })
  const told = async (quote: { id: number }) =>
    w.sql("SELECT 1 FROM notice WHERE client_id = $1 AND user_id = $2 AND kind = 'client.set-up' AND about = $3", [
      w.person.clientId,
      Number(admin.iri.split('/').at(-1)),
      quote.id,
    ])
  const plan = await w.sold({ customer: await w.buyer(), plans: [{ plan: w.plan }] })
  const item = { description: 'Site visit', quantity: 1, unitAmount: 5000 }
  const once = await w.sold({ customer: await w.buyer(), additionalItems: [item] })
  await w.portal.drain()
  expect([(await told(plan.quote)).length, (await told(once.quote)).length]).toEqual([1, 0])
})
