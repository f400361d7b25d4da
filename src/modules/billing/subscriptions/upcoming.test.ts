import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { raiseMoneyLimit } from '#test/support/invoices.ts'
import { Random } from '#test/support/random.ts'
import { createSubscriptionSteps, makeSalesWorld, type SalesWorld } from '#test/support/sales.ts'
import type { UpcomingInvoice } from '../lines/lines.ts'

let w: SalesWorld
let month: string
let quarterly: string
let year: string
beforeAll(async () => {
  w = await makeSalesWorld()
  await raiseMoneyLimit(w)
  month = await w.plan2({ name: 'Month', amount: 3333 })
  quarterly = await w.plan2({ name: 'Every two months', amount: 5001, intervalCount: 2 })
  year = await w.plan2({ name: 'Year', amount: 100_001, interval: 'year' })
})
afterEach(() => moveClock(w.portal.engine, 0))

const today = () => Temporal.Now.plainDateISO('Europe/London')
const unix = (days: number) =>
  Math.floor(
    today().add({ days }).toZonedDateTime({ timeZone: 'Europe/London', plainTime: '12:00' }).epochMilliseconds / 1000,
  )
const coupon = (values: Record<string, unknown>) => w.make('/api/financial/coupons', { name: 'Off', ...values })

const CASES: readonly (readonly [string, () => Promise<Record<string, unknown>>])[] = [
  ['plans with the same billing interval', async () => ({ plans: [{ plan: month, quantity: 3 }] })],
  [
    'plans with several intervals, one-off items and a permanent percentage discount',
    async () => ({
      plans: [{ plan: month }, { plan: quarterly, quantity: 2 }, { plan: year }],
      skus: [{ sku: w.sku, quantity: 7 }],
      additionalItems: [{ description: 'Visit', quantity: 1.5, unitAmount: 9999 }],
      coupon: await coupon({ percentOff: 12.5, duration: 'forever' }),
    }),
  ],
  [
    'a fixed discount for two periods on plans with two intervals',
    async () => ({
      plans: [{ plan: month, quantity: 2 }, { plan: quarterly }],
      coupon: await coupon({ amountOff: 1001, duration: 'periods', durationPeriods: 2 }),
    }),
  ],
  [
    'a one-off coupon for one of its plans',
    async () => ({
      plans: [{ plan: month }, { plan: quarterly }],
      coupon: await coupon({ percentOff: 50, duration: 'once', plans: [month] }),
    }),
  ],
  [
    'discounts of lines and a permanent percentage discount of its own',
    async () => ({
      plans: [
        { plan: month, quantity: 3, discountPercent: 12.5 },
        { plan: year, discountPercent: 100 },
      ],
      skus: [{ sku: w.sku, quantity: 7, discountPercent: 33.3333 }],
      discountPercent: 10,
      discountDuration: 'forever',
    }),
  ],
  [
    'a discount of its own for two payments, and of a line, on plans with two intervals',
    async () => ({
      plans: [{ plan: month, quantity: 2, discountPercent: 5 }, { plan: quarterly }],
      discountAmount: 1001,
      discountDuration: 'periods',
      discountPeriods: 2,
      billingCycleAnchor: unix(11),
    }),
  ],
  [
    'a later billing start and a pro-rata charge until then',
    async () => ({
      plans: [{ plan: month, quantity: 2 }],
      skus: [{ sku: w.sku, quantity: 10 }],
      billingCycleAnchor: unix(11),
      prorate: true,
    }),
  ],
  [
    'a later billing start and no charge until then',
    async () => ({ plans: [{ plan: month }], billingCycleAnchor: unix(11), prorate: false }),
  ],
  ['one-off items only', async () => ({ skus: [{ sku: w.sku, quantity: 3 }] })],
]

test.each(CASES)(
  'the forecast invoices of a quote with %s equal those created by acceptance and the billing runs',
  async (_, make) => {
    const customer = await w.buyer()
    const { quote, token } = await w.sent({ customer, ...(await make()) })
    const shown = (await w.portal.anonymous.get(`/api/financial/acceptances/${token}`)).body.paper.next
    expect(shown).toEqual(quote.nextInvoices)
    expect(shown.accepted).toBe(today().toString())
    await w.accept(token)
    const { body: accepted } = await w.portal.anonymous.get(`/api/financial/acceptances/${token}`)
    const [first] = (shown.invoices as (UpcomingInvoice & { day: string })[]).filter(
      ({ day }) => day === shown.accepted,
    )
    expect(accepted.made.invoices.map((i: { total: number }) => i.total)).toEqual(first ? [first.total] : [])
    expect(accepted.made.subscriptions.length > 0).toBe((shown.invoices as unknown[]).length > (first ? 1 : 0))
    const days = (day: string) => today().until(Temporal.PlainDate.from(day), { largestUnit: 'days' }).days
    for (const { day } of shown.invoices as UpcomingInvoice[]) {
      await moveClock(w.portal.engine, days(day))
      await w.finance.post('/api/financial/billing_runs', {})
      await w.portal.drain()
    }
    const made = await w.all(
      `/api/financial/invoices?customer=${customer.split('/').at(-1)}&order[id]=asc&itemsPerPage=100`,
    )
    const said = (shown.invoices as UpcomingInvoice[]).map(({ day, net, tax, total }) => [day, net, tax, total])
    const became = made.slice(0, said.length).map((i) => [i.date, i.net, i.tax, i.total])
    expect(became.toSorted()).toEqual(said.toSorted())
    expect(said.length).toBe(shown.invoices.length && quote.plans.length ? 3 : 1)
  },
)

test("a sent quote's forecast can't be changed, even by SQL, and a draft's is recalculated on each save", async () => {
  const { quote } = await w.sent({ customer: await w.buyer(), plans: [{ plan: month }] })
  await expect(w.sql("UPDATE quote SET next_invoices = '{}' WHERE id = $1", [quote.id])).rejects.toThrow(
    'stands as it was sent',
  )
  const draft = await w.draft({ customer: await w.buyer(), plans: [{ plan: month }] })
  expect(draft.nextInvoices.invoices.map((i: UpcomingInvoice) => i.net)).toEqual([3333, 3333, 3333])
  const more = await w.api.put(draft['@id'], { plans: [{ plan: month, quantity: 2 }] })
  expect(more.body.nextInvoices.invoices.map((i: UpcomingInvoice) => i.words)).toEqual(Array(3).fill('Month × 2'))
})

test("an open quote's preview shows the invoices for acceptance today, not for the day on which the quote was sent", async () => {
  const { quote } = await w.sent({ customer: await w.buyer(), plans: [{ plan: month }] })
  await moveClock(w.portal.engine, 3)
  const { nextInvoices } = (await w.api.get(`${quote['@id']}/preview`)).body
  const later = today().add({ days: 3 })
  expect(nextInvoices.accepted).toBe(later.toString())
  expect(nextInvoices.invoices.map((i: UpcomingInvoice) => i.day)).toEqual(
    [0, 1, 2].map((months) => later.add({ months }).toString()),
  )
})

const { begun, preview, change, read, charged } = createSubscriptionSteps(() => w)

describe('changes from the next period', () => {
  const when = 'nextPeriod'
  const current = async (of: { '@id': string }) => {
    const { items, renewsOn } = await read(of)
    const shape = (i: { description: string; quantity: number }) => `${i.description} ${i.quantity}`
    return {
      now: items.filter((i: { from: string }) => i.from < renewsOn).map(shape),
      next: items.filter((i: { until: string | null }) => i.until === null).map(shape),
    }
  }

  test('a change from the next period costs nothing now, leaves the current amount unchanged and can be withdrawn', async () => {
    const one = await begun()
    const item = one.items[0]['@id']
    const from = one.renewsOn.split('-').toReversed().join('/')
    const asked = { way: 'quantity', item, quantity: 1, when }
    const seen = (await preview(one, asked, w.api)).body
    expect(seen).toMatchObject({ lines: [], gross: 0, needsFinance: false, unused: 5400 })
    expect(seen).toMatchObject({ perPeriod: 9000, perNextPeriod: 4500, nextPeriod: one.renewsOn })
    expect(seen.sentence).toBe(`From ${from}: Safety pack: quantity 2 → 1.`)
    const done = await change(one, asked, w.api)
    expect([done.status, done.body.amount, done.body.plans]).toEqual([200, 9000, 'Safety pack × 2'])
    expect(await current(one)).toEqual({ now: ['Safety pack 2'], next: ['Safety pack 1'] })
    expect(await charged(one)).toBe(9000)
    const again = await preview(one, { ...asked, quantity: 3 })
    expect([again.status, again.body['hydra:description']]).toEqual([
      422,
      `item: This item already changes on ${from}. Withdraw that change first`,
    ])
    const renewals = (await w.api.get('/api/financial/renewals')).body
    expect(renewals.rows.find((row: { id: number }) => row.id === one.id).yearly).toBe(4500 * 12)
    expect((await change(one, { way: 'withdraw', item }, w.api)).status).toBe(200)
    expect(await current(one)).toEqual({ now: ['Safety pack 2'], next: ['Safety pack 2'] })
    expect((await preview(one, { way: 'withdraw', item })).status).toBe(422)
    const kinds = (await w.all(`/api/financial/subscription_changes?subscription=${one.id}`)).map((c) => c.kind)
    expect(kinds).toEqual(['withdraw', 'scheduled', 'started'])
  })

  test("other changes, a pause and a plan that is still in use don't affect changes from the next period", async () => {
    const one = await begun()
    const [talks, users] = [
      await w.plan2({ name: 'Later talks', amount: 2000 }),
      await w.plan2({ name: 'Later users', amount: 300 }),
    ]
    await change(one, { way: 'swap', item: one.items[0]['@id'], plan: talks, when })
    await change(one, { way: 'add', plan: users, quantity: 3 })
    const both = { now: ['Safety pack 2', 'Later users 3'], next: ['Later users 3', 'Later talks 2'] }
    const sorted = async () => {
      const { now, next } = await current(one)
      return { now: now.toSorted().toReversed(), next: next.toSorted().toReversed() }
    }
    expect(await sorted()).toEqual(both)
    expect((await w.finance.put(w.plan, { retired: true })).body.code).toBe('in_use')
    expect((await read(one)).resumesWith).toBeNull()
    await change(one, { way: 'pause' })
    expect((await read(one)).resumesWith).toEqual([
      { description: 'Safety pack', quantity: 2, until: one.renewsOn },
      { description: 'Later users', quantity: 3 },
      { description: 'Later talks', quantity: 2, from: one.renewsOn },
    ])
    expect((await change(one, { way: 'resume' })).body.amount).toBe(9900)
    expect(await sorted()).toEqual(both)
  })

  test('setting an end for a subscription withdraws changes from the next period and prevents new ones', async () => {
    const one = await begun()
    const talks = await w.plan2({ name: 'Never talks', amount: 2000 })
    await change(one, { way: 'add', plan: talks, when })
    const ends = (await preview(one, { way: 'cancelAtPeriodEnd' })).body
    expect(ends.sentence).toContain('Changes from the next period are withdrawn.')
    await change(one, { way: 'cancelAtPeriodEnd' })
    expect(await current(one)).toEqual({ now: ['Safety pack 2'], next: ['Safety pack 2'] })
    expect((await preview(one, { way: 'add', plan: talks, when })).body.code).toBe('wrong_state')
  })
})

describe('credit for unused days', () => {
  test('without a credit, reducing an item takes effect at once and the amount charged is unchanged', async () => {
    const one = await begun()
    const asked = { way: 'quantity', item: one.items[0]['@id'], quantity: 1 }
    const seen = (await preview(one, asked, w.api)).body
    expect(seen).toMatchObject({ lines: [], gross: 0, needsFinance: false, unused: 5400 })
    expect(seen.sentence).toContain('The unused days are not credited.')
    expect((await change(one, asked, w.api)).body.amount).toBe(4500)
    expect(await charged(one)).toBe(9000)
  })

  test('without a credit, a switch to a cheaper plan charges nothing, and to a dearer plan the difference', async () => {
    const cheap = await w.plan2({ name: 'Cheap', amount: 1000 })
    const dear = await w.plan2({ name: 'Dear', amount: 9000 })
    const [one, two] = [await begun(), await begun()]
    expect((await change(one, { way: 'swap', item: one.items[0]['@id'], plan: cheap }, w.api)).status).toBe(200)
    expect(await charged(one)).toBe(9000)
    expect((await change(two, { way: 'swap', item: two.items[0]['@id'], plan: dear }, w.api)).status).toBe(200)
    expect(await charged(two)).toBe(18_000)
  })

  test('days that were paid and not credited are not charged again if the same item is increased', async () => {
    const one = await begun({ plans: [{ plan: w.plan, quantity: 5 }] })
    const days = today().until(one.renewsOn).days
    const part = (pence: number, from: number) => Math.round((pence * (days - from)) / days)
    const set = async (quantity: number, more = {}) => {
      const { items } = await read(one)
      const item = items.find((of: { until: string | null }) => of.until === null)['@id']
      const done = await change(one, { way: 'quantity', item, quantity, ...more })
      expect([done.status, done.text]).toEqual([200, expect.anything()])
    }
    expect(await charged(one)).toBe(22_500)
    await set(2)
    await set(5)
    expect(await charged(one)).toBe(22_500)
    await moveClock(w.portal.engine, 5)
    await set(2)
    await moveClock(w.portal.engine, 9)
    await set(3)
    expect(await charged(one)).toBe(22_500)
    await set(8)
    const after = 22_500 + part(8 * 4500, 9) - part(5 * 4500, 9)
    expect(Math.abs((await charged(one)) - after)).toBeLessThanOrEqual(1)
    await set(7, { credit: true })
    await set(8)
    expect(Math.abs((await charged(one)) - after)).toBeLessThanOrEqual(1)
  })

  test('after a switch to a cheaper plan without a credit, only an amount above the paid one is charged', async () => {
    const cheap = await w.plan2({ name: 'Much cheaper', amount: 1000 })
    const one = await begun({ plans: [{ plan: w.plan }] })
    const item = async () => (await read(one)).items.find((of: { until: string | null }) => of.until === null)['@id']
    const cost = async (body: Record<string, unknown>) => {
      const before = await charged(one)
      const done = await change(one, { item: await item(), ...body })
      expect([done.status, done.text]).toEqual([200, expect.anything()])
      return (await charged(one)) - before
    }
    expect(await cost({ way: 'swap', plan: cheap })).toBe(0)
    expect(await cost({ way: 'quantity', quantity: 4 })).toBe(0)
    expect(await cost({ way: 'quantity', quantity: 5 })).toBe(500)
    expect(await cost({ way: 'quantity', quantity: 6 })).toBe(1000)
    expect(await cost({ way: 'swap', plan: w.plan, quantity: 1 })).toBe(0)
    expect(await cost({ way: 'add', plan: cheap, quantity: 2 })).toBe(500)
  })

  test('an item that was removed without a credit and added again in the same period is not charged twice', async () => {
    const talks = await w.plan2({ name: 'Paid talks', amount: 3000 })
    const users = await w.plan2({ name: 'Paid users', amount: 500 })
    const one = await begun()
    await change(one, { way: 'add', plan: talks, quantity: 2 })
    const added = (await read(one)).items.find((of: { description: string }) => of.description === 'Paid talks')
    await moveClock(w.portal.engine, 3)
    await change(one, { way: 'remove', item: added['@id'] })
    expect(await charged(one)).toBe(15_000)
    await change(one, { way: 'pause' })
    const paused = await charged(one)
    await change(one, { way: 'resume' })
    await moveClock(w.portal.engine, 4)
    const seen = (await preview(one, { way: 'add', plan: talks, quantity: 2 })).body
    expect(seen).toMatchObject({ lines: [], invoiced: 0, credited: 0 })
    expect(seen.sentence).toBe('Paid talks × 2 added. This period is already paid for.')
    await change(one, { way: 'add', plan: talks, quantity: 2 })
    expect(await charged(one)).toBe(15_000)
    expect(paused).toBeLessThan(15_000)
    await change(one, { way: 'add', plan: users })
    expect(await charged(one)).toBeGreaterThan(15_000)
    await moveClock(w.portal.engine, 40)
    await w.finance.post('/api/financial/billing_runs', {})
    await w.portal.drain()
    expect((await read(one)).renewsOn > one.renewsOn).toBe(true)
  })

  test('within one day, any sequence of changes without a credit charges the most expensive state once', async () => {
    const plans = await Promise.all([700, 1900, 4500].map((amount, n) => w.plan2({ name: `Sequence ${n}`, amount })))
    for (const seed of [1, 2, 3]) {
      const random = new Random(seed)
      const one = await begun({ plans: [{ plan: plans[0], quantity: 2 }] })
      let dearest = await charged(one)
      for (let n = 0; n < 10; n++) {
        const { items } = await read(one)
        const item = random.pick(
          items.filter((of: { until: string | null }) => of.until === null) as { '@id': string }[],
        )
        const done = await change(one, {
          way: random.pick(['add', 'quantity', 'swap', 'remove'] as const),
          item: item['@id'],
          plan: random.pick(plans),
          quantity: 1 + random.below(6),
        })
        // Some changes are impossible, such as the removal of the only item.
        if (done.status === 200) dearest = Math.max(dearest, done.body.amount)
        expect([seed, n, done.status < 500, await charged(one)]).toEqual([seed, n, true, dearest])
      }
    }
  })
})
