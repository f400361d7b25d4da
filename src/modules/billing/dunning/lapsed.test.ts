import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { makeSalesWorld, type SalesWorld } from '#test/support/sales.ts'

let w: SalesWorld
let settings: string
beforeAll(async () => {
  w = await makeSalesWorld()
  // Saves dunning settings, because clients other than the provider start without any.
  await w.sql('INSERT INTO dunning_settings (client_id) VALUES ($1) ON CONFLICT DO NOTHING', [w.person.clientId])
  settings = (await w.all('/api/financial/dunning_settings'))[0]['@id']
})
afterEach(() => moveClock(w.portal.engine, 0))

const read = async (iri: string) => (await w.api.get(iri)).body

/** Moves the clock to a day and runs each morning's jobs. */
async function day(n: number): Promise<void> {
  await moveClock(w.portal.engine, n)
  for (const name of ['subscriptions-past-due', 'dunning']) {
    await w.sql('DELETE FROM schedule_client WHERE client_id = $1 AND name = $2', [w.person.clientId, name])
    await w.portal.runSchedule(name)
    await w.portal.drain()
  }
}

/** Creates a subscription and its first invoice, due in two weeks. */
async function subscriber(lapseDays = 14) {
  await w.finance.put(settings, { lapseDays, finalDays: 30, final: 'keep' })
  const customer = await w.buyer()
  const { subscriptions, invoices } = await w.sold({ customer, plans: [{ plan: w.plan }] })
  await w.portal.drain()
  return { customer, subscription: subscriptions[0], invoice: invoices[0] }
}

describe('a lapsed subscription', () => {
  const renew = async () => {
    await w.finance.post('/api/financial/billing_runs', {})
    await w.portal.drain()
  }
  const invoicesOf = (s: { customer: string }) =>
    w.all(`/api/financial/invoices?customer=${s.customer.split('/').at(-1)}&order[id]=asc`)

  test('a lapsed subscription is not invoiced while past due, and its next period starts on the day of payment', async () => {
    const s = await subscriber()
    for (const n of [15, 29, 46]) await day(n)
    expect((await read(`${s.invoice['@id']}/dunning`)).state).toBe('ended')
    expect(await read(s.subscription['@id'])).toMatchObject({ status: 'past_due', lapsedOn: expect.any(String) })
    await renew()
    expect(await invoicesOf(s)).toHaveLength(1)
    const refused = await w.api.post(`${s.subscription['@id']}/preview`, { way: 'add', plan: w.plan })
    expect([refused.status, refused.body['hydra:description']]).toEqual([409, expect.stringContaining('has lapsed')])
    await w.finance.post('/api/financial/charges', {
      customer: s.customer,
      invoice: s.invoice['@id'],
      method: 'bank',
      amount: s.invoice.total,
      receivedAt: w.portal.engine.clock.now().toString(),
    })
    await w.portal.drain()
    await renew()
    const today = w.portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate()
    const [, next, ...more] = await invoicesOf(s)
    expect([next.periodFrom, next.net, more.length]).toEqual([today.toString(), s.invoice.net, 0])
    expect(await read(s.subscription['@id'])).toMatchObject({
      status: 'active',
      currentFrom: today.toString(),
      renewsOn: today.add({ months: 1 }).toString(),
    })
  })

  test('a past-due subscription that has not lapsed yet continues to be invoiced', async () => {
    const s = await subscriber(60)
    for (const n of [15, 46]) await day(n)
    expect(await read(s.subscription['@id'])).toMatchObject({ status: 'past_due', lapsedOn: null })
    await renew()
    expect(await invoicesOf(s)).toHaveLength(2)
  })

  test('a lapsed subscription set to cancel at the end of its period is cancelled on that day', async () => {
    const s = await subscriber()
    for (const n of [15, 29]) await day(n)
    const { body } = await w.api.post(`${s.subscription['@id']}/preview`, { way: 'cancelAtPeriodEnd' })
    await w.api.post(`${s.subscription['@id']}/change`, {
      way: 'cancelAtPeriodEnd',
      reason: 'closed',
      token: body.token,
    })
    await day(40)
    await renew()
    expect((await read(s.subscription['@id'])).status).toBe('cancelled')
    expect(await invoicesOf(s)).toHaveLength(1)
  })
})
