import { afterEach, beforeAll, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { MAX_BLOCKING_MS, measureThreadTime } from '#test/support/effort.ts'
import { raiseMoneyLimit } from '#test/support/invoices.ts'
import { makeSalesWorld, type SalesWorld } from '#test/support/sales.ts'
import { type NamedRevenueChange, RECURRING_REVENUE_URL, type RecurringRevenueRow } from './mrr.ts'

let w: SalesWorld
beforeAll(async () => {
  w = await makeSalesWorld()
  await raiseMoneyLimit(w)
})
afterEach(() => moveClock(w.portal.engine, 0))

const change = async (of: { '@id': string }, body: Record<string, unknown>) => {
  const { token } = (await w.finance.post(`${of['@id']}/preview`, body)).body
  const done = await w.finance.post(`${of['@id']}/change`, { ...body, reason: 'competitor', token })
  expect([done.status, done.text]).toEqual([200, expect.anything()])
}

test('recurring revenue by month equals a recount of the subscriptions, and each figure equals the sum of its details', async () => {
  const yearly = await w.plan2({ name: 'Year', amount: 120_000, interval: 'year' })
  const [grows, goes] = [await w.buyer(), await w.buyer()]
  const [one] = (await w.sold({ customer: grows, plans: [{ plan: w.plan }] })).subscriptions
  const [two] = (await w.sold({ customer: goes, plans: [{ plan: yearly }] })).subscriptions
  const start = Temporal.PlainDate.from(one.startedOn)
  const first = start.with({ day: 1 })
  const days = (months: number) => start.until(first.add({ months }).with({ day: 10 }), { largestUnit: 'days' }).days
  await moveClock(w.portal.engine, days(1))
  await w.finance.post('/api/financial/billing_runs', {})
  await w.portal.drain()
  const [item] = (await w.api.get(one['@id'])).body.items
  await change(one, { way: 'quantity', item: item['@id'], quantity: 3 })
  await moveClock(w.portal.engine, days(2))
  await w.finance.post('/api/financial/billing_runs', {})
  await w.portal.drain()
  await change(two, { way: 'cancelNow', credit: true })
  const until = first.add({ months: 2 }).with({ day: 10 }).toString()
  const { body } = await w.finance.get(`${RECURRING_REVENUE_URL}?from=${first.toString()}&to=${until}&products=true`)
  expect(body.cancelled).toEqual([{ currency: 'GBP', reason: 'competitor', subscriptions: 1, monthly: 10_000 }])
  const lists = '/api/financial/subscriptions?cancelReason=competitor&endedOn[after]=2020-01-01'
  expect((await w.all(lists)).map((s) => s.id)).toEqual([two.id])
  const summary = async (query: string) => (await w.api.get(`/api/financial/subscription_summary${query}`)).body.totals
  expect(await summary('')).toEqual([{ currency: 'GBP', count: 2, running: 13_500, paused: 0, cancelled: 10_000 }])
  expect(await summary('?status=active')).toEqual([
    { currency: 'GBP', count: 1, running: 13_500, paused: 0, cancelled: 0 },
  ])
  expect((await w.outsider.get('/api/financial/subscription_summary')).status).toBe(403)
  const rows = (body.rows as RecurringRevenueRow[]).filter((row) => row.name === null)
  expect(rows.map((row) => row.moves)).toEqual([
    { start: 0, new: 14_500, expansion: 0, contraction: 0, churn: 0, end: 14_500 },
    { start: 14_500, new: 0, expansion: 9000, contraction: 0, churn: 0, end: 23_500 },
    { start: 23_500, new: 0, expansion: 0, contraction: 0, churn: -10_000, end: 13_500 },
  ])
  for (const { month, moves } of rows) {
    const end = Temporal.PlainDate.from(`${month}-01`).add({ months: 1 }).subtract({ days: 1 }).toString()
    const [counted] = await w.sql<{ n: string }>(
      `SELECT coalesce(sum(round(i.amount * i.quantity / (CASE s.interval WHEN 'month' THEN 1 WHEN 'quarter' THEN 3 ELSE 12 END * s.interval_count)::numeric)), 0) AS n
       FROM subscription s JOIN subscription_item i ON i.client_id = s.client_id AND i.subscription_id = s.id
       WHERE s.client_id = $1 AND i.first_day <= $2 AND (i.ends_on IS NULL OR i.ends_on > $2)`,
      [w.person.clientId, [end, until].toSorted()[0]],
    )
    expect(Number(counted?.n)).toBe(moves.end)
    for (const [move, pence] of Object.entries(moves)) {
      const answer = await w.finance.get(`${RECURRING_REVENUE_URL}/changes?month=${month}&move=${move}&currency=GBP`)
      const members = answer.body['hydra:member'] as NamedRevenueChange[]
      const size = (c: NamedRevenueChange) =>
        move === 'start' ? c.before : move === 'end' ? c.after : c.after - c.before
      expect(members.reduce((n, c) => n + size(c), 0)).toBe(pence)
      expect(members.every((c) => c.company.startsWith('Buyer') && c.subscriptions.length === 1)).toBe(true)
    }
  }
  const file = await w.finance.get(`${RECURRING_REVENUE_URL}/export.csv?from=${first.toString()}&to=${until}`)
  expect(file.text).toContain('"All products",0.00,145.00,0.00,0.00,0.00,145.00')
  expect((await w.api.get(RECURRING_REVENUE_URL)).status).toBe(403)
  expect((await w.finance.get(`${RECURRING_REVENUE_URL}/changes?month=2026-13&move=new`)).status).toBe(400)
  expect((await w.finance.get(`${RECURRING_REVENUE_URL}/changes?month=2026-11&move=up`)).status).toBe(400)
  expect((await w.finance.get(`${RECURRING_REVENUE_URL}?from=1900-01-01&to=2026-01-01`)).status).toBe(400)
})

test('a recurring revenue report over thousands of years is refused before its months are listed', async () => {
  for (const path of [RECURRING_REVENUE_URL, `${RECURRING_REVENUE_URL}/export.csv`]) {
    const send = () => w.finance.get(`${path}?from=0001-01-01&to=9999-12-31`)
    expect((await send()).status).toBe(400)
    expect(await measureThreadTime(() => Promise.all(Array.from({ length: 8 }, send)))).toBeLessThan(MAX_BLOCKING_MS)
  }
})
