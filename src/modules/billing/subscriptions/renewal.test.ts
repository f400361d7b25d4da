import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { connectToDbServer } from '#server/db/server.ts'
import { moveClock } from '#server/engine/clock.ts'
import { makeSalesWorld, type SalesWorld } from '#test/support/sales.ts'

let w: SalesWorld
beforeAll(async () => {
  w = await makeSalesWorld()
})
afterEach(() => moveClock(w.portal.engine, 0))

const today = () => Temporal.Now.plainDateISO('Europe/London')
const read = async (of: { '@id': string }) => (await w.api.get(of['@id'])).body
const later = (days: number) => moveClock(w.portal.engine, days)
const bill = async () => {
  const started = await w.finance.post('/api/financial/billing_runs', {})
  if (started.status !== 202) throw new Error(started.text)
  await w.portal.drain()
  return read(started.body)
}
const invoicesOf = (customer: string) =>
  w.all(`/api/financial/invoices?customer=${customer.split('/').at(-1)}&order[id]=asc`)
const linesOf = async (invoice: { '@id': string }) =>
  (await read(invoice)).lines.map((l: { description: string; quantity: number; net: number }) => [
    l.description,
    l.quantity,
    l.net,
  ])

describe('billing runs', () => {
  test('a billing run puts everything due from a customer on one invoice, and a second run creates none', async () => {
    const customer = await w.buyer()
    const first = (await w.sold({ customer, plans: [{ plan: w.plan, quantity: 2 }] })).subscriptions[0]
    const talks = await w.plan2({ name: 'Talks', amount: 2000 })
    const second = (await w.sold({ customer, plans: [{ plan: talks }] })).subscriptions[0]
    await later(32)
    const done = await bill()
    expect([done.state, done.refused]).toEqual(['done', 0])
    const invoices = await invoicesOf(customer)
    expect(invoices.map((i) => [i.origin, i.state, i.net])).toEqual([
      ['quote', 'open', 9000],
      ['quote', 'open', 2000],
      ['subscription', 'open', 11_000],
    ])
    expect(await linesOf(invoices[2])).toEqual([
      ['Safety pack', 2, 9000],
      ['Talks', 1, 2000],
    ])
    for (const one of [first, second]) {
      const now = await read(one)
      expect([now.currentFrom, now.status]).toEqual([one.renewsOn, 'active'])
    }
    expect((await bill()).customersTotal).toBe(0)
    expect(await invoicesOf(customer)).toHaveLength(3)
  })

  test('a billing run skips a customer whose invoice is rejected and leaves no gap in the invoice numbers', async () => {
    const customers = [await w.buyer(), await w.buyer(), await w.buyer()]
    for (const customer of customers) await w.sold({ customer, plans: [{ plan: w.plan }] })
    const [, gone] = customers as [string, string, string]
    // Customers with a subscription can no longer be retired, but some were retired before this rule.
    const retire = (retired: boolean) =>
      w.portal.db.tx('owner', async (tx) => {
        await tx.script('SET LOCAL session_replication_role = replica')
        await tx.rows('UPDATE customer SET retired = $2 WHERE id = $1', [gone.split('/').at(-1), retired])
      })
    await retire(true)
    await later(32)
    const done = await bill()
    expect([done.state, done.refused]).toEqual(['done', 1])
    const counts = await Promise.all(customers.map(async (customer) => (await invoicesOf(customer)).length))
    expect(counts).toEqual([2, 1, 2])
    const rows = await w.sql<{ number: string }>(
      "SELECT number FROM invoice WHERE client_id = $1 AND number <> '' ORDER BY number",
      [w.person.clientId],
    )
    expect(rows.map(({ number }) => Number(number.replace(/\D/g, '')))).toEqual(rows.map((_, n) => n + 1))
    await retire(false)
  })

  test('a billing run creates an invoice for every missed period, each with its own dates', async () => {
    const customer = await w.buyer()
    const { subscriptions } = await w.sold({ customer, plans: [{ plan: w.plan }] })
    await later(100)
    await bill()
    const invoices = await invoicesOf(customer)
    expect(invoices.map((i) => i.net)).toEqual([4500, 4500, 4500, 4500])
    const days = invoices.map((i) => [i.periodFrom, i.periodTo])
    for (const [n, [from]] of days.entries())
      if (n)
        expect(
          Temporal.PlainDate.from(days[n - 1]?.[1])
            .add({ days: 1 })
            .toString(),
        ).toBe(from)
    expect((await read(subscriptions[0])).currentFrom).toBe(invoices[3].periodFrom)
  })

  const rising = async () => {
    const plan = await w.plan2({ name: 'Rising', amount: 1000 })
    const customer = await w.buyer()
    const { subscriptions } = await w.sold({ customer, plans: [{ plan }] })
    return { plan, customer, one: subscriptions[0] }
  }
  const notify = async (plan: string) => {
    const { status, body } = await w.finance.post(`${plan}/price-notice`, {})
    expect(status).toBe(200)
    await w.portal.drain()
    return body
  }
  const accepted = () =>
    w.sql(
      "UPDATE message SET state = 'sent', sent_at = portal_now() WHERE client_id = $1 AND template = 'price-notice'",
      [w.person.clientId],
    )

  test("without a notice, a plan's new price doesn't change a subscription's signed price", async () => {
    const { plan, customer, one } = await rising()
    await w.finance.put(plan, { amount: 1500 })
    await later(32)
    await bill()
    expect((await read(one)).amount).toBe(1000)
    expect((await invoicesOf(customer)).map((i) => i.net)).toEqual([1000, 1000])
  })

  test("a plan's new price applies from the first period after a notice that states both prices and the date", async () => {
    const { plan, customer, one } = await rising()
    const { body: seen } = await w.finance.get(`${plan}/price-notice?amount=1500`)
    const from = Temporal.PlainDate.from(one.startedOn).add({ months: 1 })
    const first = one.renewsOn >= today().add({ days: 30 }).toString() ? from : from.add({ months: 1 })
    expect(seen).toMatchObject({
      subscriptions: 1,
      customers: 1,
      exempt: 0,
      withoutEmail: 0,
      days: 30,
      from: first.toString(),
    })
    expect(seen.body).toContain('£10.00 every month')
    expect(seen.body).toContain(`From ${formatIsoDateAsUk(first.toString())}: `)
    expect(seen.body).toContain('£15.00 every month')
    await w.finance.put(plan, { amount: 1500 })
    expect((await w.api.post(`${plan}/price-notice`, {})).status).toBe(200)
    await w.portal.drain()
    await accepted()
    const days = today().until(first, { largestUnit: 'days' }).days
    await later(days + 1)
    await bill()
    const now = await read(one)
    expect([now.amount, now.currentFrom]).toEqual([1500, first.toString()])
    expect(now.items.map((i: { amount: number }) => i.amount)).toEqual([1000, 1500])
    expect(await w.all(`/api/financial/price_notices?subscription=${one.id}`)).toMatchObject([
      { state: 'applied', formerAmount: 1000, amount: 1500, from: first.toString() },
    ])
    expect((await invoicesOf(customer)).at(-1)?.net).toBe(1500)
  })

  test('price notices requested several times simultaneously are e-mailed once, and again after a withdrawal', async () => {
    const { plan, one } = await rising()
    await w.finance.put(plan, { amount: 1500 })
    const send = () => w.api.post(`${plan}/price-notice`, {})
    const all = await Promise.all(Array.from({ length: 5 }, send))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    const notices = () => w.all(`/api/financial/price_notices?subscription=${one.id}&order[id]=asc`)
    const [notice] = await notices()
    expect(await notices()).toMatchObject([{ state: 'open', amount: 1500 }])
    expect((await w.finance.get(`${plan}/price-notice`)).body).toMatchObject({ subscriptions: 0, notified: 1 })
    await w.finance.put(plan, { amount: 1600 })
    expect((await send()).body).toMatchObject({ subscriptions: 1, notified: 0 })
    const [, second] = await notices()
    expect(await notices()).toMatchObject([{ state: 'replaced' }, { state: 'open', amount: 1600 }])
    expect((await w.finance.post(`${notice['@id']}/withdraw`, {})).status).toBe(409)
    expect((await w.finance.post(`${second['@id']}/withdraw`, {})).status).toBe(200)
    expect((await send()).status).toBe(200)
    expect((await notices()).map(({ state }) => state)).toEqual(['replaced', 'withdrawn', 'open'])
  })

  test("a line's discount reduces each payment as signed, and takes the same percentage off a new price", async () => {
    const plan = await w.plan2({ name: 'Rebated', amount: 2499 })
    const customer = await w.buyer()
    const line = { plan, quantity: 3, discountPercent: 12.5 }
    const sale = { customer, plans: [line], discountPercent: 10, discountDuration: 'forever' }
    const { quote, subscriptions } = await w.sold(sale)
    // 3 × £24.99 × 87.5% = £65.60, less 10% = £59.04, with £11.81 of VAT.
    expect(quote).toMatchObject({ total: 7085, totals: { subtotal: 6560, lineDiscount: 937, discount: 656 } })
    const [one] = subscriptions
    const { body: seen } = await w.finance.get(`${plan}/price-notice?amount=3000`)
    expect(seen.body).toContain('excluding VAT, after your discount of 12.5%.')
    for (const price of ['£21.86625 every month', '£26.25 every month']) expect(seen.body).toContain(price)
    await w.finance.put(plan, { amount: 3000 })
    await notify(plan)
    await accepted()
    const from = Temporal.PlainDate.from(seen.from)
    await later(today().until(from, { largestUnit: 'days' }).days)
    await bill()
    const invoices = await invoicesOf(customer)
    expect(new Set(invoices.slice(0, -1).map((i) => i.total))).toEqual(new Set([7085]))
    expect((await read(invoices[0])).lines).toMatchObject([{ unitAmount: 2499, discountPercent: 12.5, amount: 6560 }])
    // 3 × £30.00 × 87.5% = £78.75, less 10% = £70.87.
    expect(await read(invoices.at(-1))).toMatchObject({
      net: 7087,
      lines: [{ unitAmount: 3000, discountPercent: 12.5, amount: 7875 }],
    })
    expect((await read(one)).amount).toBe(7875)
    const { rows } = (await w.api.get('/api/financial/renewals')).body
    expect(rows.find((of: { id: number }) => of.id === one.id)?.yearly).toBe(7875 * 12)
  })

  test('a notice that was withdrawn, or that no mail server accepted, leaves the signed price unchanged', async () => {
    const [unsent, withdrawn] = [await rising(), await rising()]
    for (const { plan } of [unsent, withdrawn]) {
      await w.finance.put(plan, { amount: 1500 })
      await notify(plan)
    }
    const [notice] = await w.all(`/api/financial/price_notices?subscription=${withdrawn.one.id}`)
    await w.sql("UPDATE message SET state = 'sent', sent_at = portal_now() WHERE about = $1", [notice['@id']])
    expect((await w.finance.post(`${notice['@id']}/withdraw`, {})).body.state).toBe('withdrawn')
    await later(64)
    await bill()
    expect([(await read(unsent.one)).amount, (await read(withdrawn.one)).amount]).toEqual([1000, 1000])
  })

  test('an item with an agreed price is exempt from price notices', async () => {
    const { plan, one } = await rising()
    const [item] = one.items
    expect((await w.finance.post(`${one['@id']}/keep-price`, { item: item['@id'] })).status).toBe(200)
    await w.finance.put(plan, { amount: 1500 })
    expect(await notify(plan)).toMatchObject({ subscriptions: 0, exempt: 1 })
    await accepted()
    await later(64)
    await bill()
    expect((await read(one)).amount).toBe(1000)
  })

  test("a subscription's discount applies for the agreed number of billing periods", async () => {
    const coupon = await w.make('/api/financial/coupons', {
      name: 'Half for two',
      percentOff: 50,
      duration: 'periods',
      durationPeriods: 2,
    })
    const customer = await w.buyer()
    await w.sold({ customer, coupon, plans: [{ plan: w.plan }] })
    for (const days of [32, 64]) {
      await later(days)
      await bill()
    }
    expect((await invoicesOf(customer)).map((i) => i.net)).toEqual([2250, 2250, 4500])
  })

  test('days before the billing start are either charged with the first full period or free, as agreed', async () => {
    const at = Math.floor(Date.now() / 1000) + 40 * 86_400
    const [paid, free] = [await w.buyer(), await w.buyer()]
    const plans = [{ plan: w.plan }]
    await w.sold({ customer: paid, plans, billingCycleAnchor: at, prorate: true })
    const { subscriptions } = await w.sold({ customer: free, plans, billingCycleAnchor: at, prorate: false })
    await later(40)
    await bill()
    const [one] = await invoicesOf(paid)
    const lines = await linesOf(one)
    expect(lines.at(-1)).toEqual(['Safety pack', 1, 4500])
    expect(lines.length).toBeGreaterThan(1)
    expect(one.net).toBeGreaterThan(4500 + 4500)
    expect((await invoicesOf(free)).map((i) => i.net)).toEqual([4500])
    expect(await read(subscriptions[0])).toMatchObject({ currentFrom: subscriptions[0].anchor, status: 'active' })
  })

  test('a billing run ends subscriptions cancelled at the end of their period and charges nothing more for them', async () => {
    const customer = await w.buyer()
    const [one] = (await w.sold({ customer, plans: [{ plan: w.plan }] })).subscriptions
    const { token } = (await w.api.post(`${one['@id']}/preview`, { way: 'cancelAtPeriodEnd' })).body
    await w.api.post(`${one['@id']}/change`, { way: 'cancelAtPeriodEnd', reason: 'closed', token })
    await later(33)
    await bill()
    expect(await read(one)).toMatchObject({ status: 'cancelled', endedOn: one.renewsOn })
    expect(await invoicesOf(customer)).toHaveLength(1)
  })

  test("if an invoice can't be issued, the billing run saves it as a draft and doesn't fail", async () => {
    const customer = await w.buyer({ billingName: '', address1: '', city: '', postcode: '' })
    const [one] = (await w.sold({ customer, plans: [{ plan: w.plan, quantity: 30 }] })).subscriptions
    await later(32)
    await bill()
    expect((await invoicesOf(customer)).map((i) => i.state)).toEqual(['draft', 'draft'])
    const seen = await w.finance.post(`${one['@id']}/preview`, { way: 'pause' })
    expect([seen.status, seen.body['hydra:description']]).toEqual([409, expect.stringContaining('still a draft')])
  })

  test('the billing run starts automatically once a day', async () => {
    const customer = await w.buyer()
    await w.sold({ customer, plans: [{ plan: w.plan }] })
    await later(32)
    await w.portal.runSchedule('subscriptions-renew')
    await w.portal.drain()
    expect(await invoicesOf(customer)).toHaveLength(2)
  })

  test('a billing run reserves no invoice numbers while it waits for a customer locked by another user', async () => {
    const customers: string[] = []
    for (let n = 0; n < 6; n++) customers.push(await w.buyer())
    for (const customer of customers) await w.sold({ customer, plans: [{ plan: w.plan }] })
    await later(32)
    const beside = connectToDbServer(w.portal.db.origin.url, 1, { session: false })
    const billed = await beside.tx('owner', async (tx) => {
      const last = Number(customers.at(-1)?.split('/').at(-1))
      const [held] = await tx.rows<{ client: number }>(
        'SELECT client_id AS client FROM customer WHERE id = $1 FOR UPDATE',
        [last],
      )
      if (!held) throw new Error('There is no such customer')
      const run = bill()
      for (let waits = 0; !waits; await sleep(20))
        [{ waits } = { waits: 0 }] = await tx.rows<{ waits: number }>(
          'SELECT count(*)::int AS waits FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))',
        )
      // Simulates a user who takes the next number now by issuing an invoice for this customer.
      await tx.rows('SELECT 1 FROM sequence_counter WHERE client_id = $1 FOR UPDATE NOWAIT', [held.client])
      return { run }
    })
    await beside.close()
    expect(await billed.run).toMatchObject({ state: 'done', refused: 0 })
    for (const customer of customers) expect(await invoicesOf(customer)).toHaveLength(2)
  })

  test("staff without the finance role can view what is due but can't start a billing run", async () => {
    expect((await w.api.post('/api/financial/billing_runs', {})).status).toBe(403)
    expect((await w.api.get('/api/financial/billing_runs/due')).body).toMatchObject({ customers: 0, subscriptions: 0 })
  })
})

describe('paused subscriptions', () => {
  test('a paused subscription is not charged, and resuming it charges the remaining days of the period', async () => {
    const customer = await w.buyer()
    const [one] = (await w.sold({ customer, plans: [{ plan: w.plan }] })).subscriptions
    const act = async (way: string) => {
      const { body } = await w.finance.post(`${one['@id']}/preview`, { way })
      return w.finance.post(`${one['@id']}/change`, { way, token: body.token })
    }
    expect((await act('pause')).body.status).toBe('paused')
    await later(75)
    await bill()
    expect(await invoicesOf(customer)).toHaveLength(1)
    const back = (await act('resume')).body
    expect([back.status, back.charged]).toEqual(['active', true])
    const days = (from: string, to: string) =>
      Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days
    const item = back.items.at(-1)
    const [, invoice] = await invoicesOf(customer)
    expect(invoice.net).toBe(
      Math.round((4500 * days(item.from, back.renewsOn)) / days(back.currentFrom, back.renewsOn)),
    )
    expect(invoice.net).toBeLessThan(4500)
  })
})

describe('unpaid subscriptions', () => {
  test('an unpaid subscription becomes past due and later lapses, which ends access; payment restores the subscription and the access', async () => {
    const account = await w.portal.client()
    const product = await w.make('/api/financial/products', { name: 'Safety, by subscription' })
    await w.make('/api/financial/applications', { name: 'Safety', code: 'safety', product })
    const plan = await w.make('/api/financial/plans', {
      name: 'Safety online',
      product,
      amount: 1000,
      interval: 'year',
    })
    const customer = await w.buyer()
    await w.sql('UPDATE customer SET account_id = $2 WHERE id = $1', [Number(customer.split('/').at(-1)), account.id])
    await w.sql('DELETE FROM app_status WHERE client_id = $1', [account.id])
    const state = async () => {
      await w.portal.drain()
      return (
        await w.sql<{ status: number; has_lapsed: boolean }>(
          "SELECT s.status, s.has_lapsed FROM app_status s JOIN pack_product p ON p.id = s.product_id WHERE s.client_id = $1 AND p.code = 'safety'",
          [account.id],
        )
      ).map((s) => s.has_lapsed)
    }
    const { subscriptions, invoices } = await w.sold({ customer, plans: [{ plan }] })
    expect(await state()).toEqual([false])
    await later(16)
    await w.portal.runSchedule('subscriptions-past-due')
    expect(await read(subscriptions[0])).toMatchObject({ status: 'past_due', lapsedOn: null })
    expect(await state()).toEqual([false])
    await later(40)
    await w.portal.runSchedule('subscriptions-past-due')
    expect((await read(subscriptions[0])).lapsedOn).not.toBeNull()
    expect(await state()).toEqual([true])
    await w.finance.post('/api/financial/credit_notes', { invoice: invoices[0]['@id'], reason: 'Settled otherwise' })
    await later(41)
    await w.portal.runSchedule('subscriptions-past-due')
    expect(await read(subscriptions[0])).toMatchObject({ status: 'active', pastDueOn: null, lapsedOn: null })
    expect(await state()).toEqual([false])
    await w.api.delete(subscriptions[0]['@id'])
    expect(await state()).toEqual([true])
  })
})
