import { afterEach, beforeAll, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { makeSalesWorld, type SalesWorld } from '#test/support/sales.ts'
import type { UpcomingInvoice } from '../lines/lines.ts'

let w: SalesWorld
let month: string
let quarterly: string
let year: string
beforeAll(async () => {
  w = await makeSalesWorld()
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

test('the preview of an open quote states the invoices of acceptance today, not of the day on which it was sent', async () => {
  const { quote } = await w.sent({ customer: await w.buyer(), plans: [{ plan: month }] })
  await moveClock(w.portal.engine, 3)
  const { nextInvoices } = (await w.api.get(`${quote['@id']}/preview`)).body
  const later = today().add({ days: 3 })
  expect(nextInvoices.accepted).toBe(later.toString())
  expect(nextInvoices.invoices.map((i: UpcomingInvoice) => i.day)).toEqual(
    [0, 1, 2].map((months) => later.add({ months }).toString()),
  )
})
