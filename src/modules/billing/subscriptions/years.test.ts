import { afterEach, beforeAll, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { makeSalesWorld, type SalesWorld } from '#test/support/sales.ts'
import { findLedgerInconsistencies } from '../ledger/command.server.ts'

let w: SalesWorld
beforeAll(async () => {
  w = await makeSalesWorld()
})
afterEach(() => moveClock(w.portal.engine, 0))

const PRICES: Readonly<Record<string, number>> = { Safety: 3100, Talks: 999, People: 1250 }
type Basket = Readonly<Record<string, number>>
interface Step {
  readonly day: number
  readonly basket: Basket
}

/** Changes over four months. Some fall on the same day, or on the first or last day of a period. */
const STEPS: readonly Step[] = [
  { day: 0, basket: { Safety: 3 } },
  { day: 0, basket: { Safety: 2 } },
  { day: 3, basket: { Safety: 2, Talks: 5 } },
  { day: 3, basket: { Safety: 2, Talks: 4 } },
  { day: 17, basket: { Talks: 4 } },
  { day: 17, basket: { Talks: 4, People: 1 } },
  { day: 33, basket: { Talks: 4, People: 7 } },
  { day: 34, basket: { People: 7 } },
  { day: 59, basket: { People: 7, Safety: 1 } },
  { day: 60, basket: { People: 2, Safety: 1 } },
  { day: 93, basket: { People: 2 } },
  { day: 93, basket: { People: 2, Talks: 1 } },
  { day: 95, basket: { Talks: 1 } },
]

test('months of subscription changes are charged exactly by the day, and the ledger remains consistent', async () => {
  const plans = Object.fromEntries(
    await Promise.all(Object.entries(PRICES).map(async ([name, amount]) => [name, await w.plan2({ name, amount })])),
  ) as Record<string, string>
  const customer = await w.buyer()
  const [one] = (await w.sold({ customer, plans: [{ plan: plans.Safety, quantity: 2 }] })).subscriptions
  const start = Temporal.PlainDate.from(one.startedOn)
  const read = async () => (await w.api.get(one['@id'])).body
  const run = async () => {
    await w.finance.post('/api/financial/billing_runs', {})
    await w.portal.drain()
  }
  const change = async (body: Record<string, unknown>) => {
    const seen = await w.finance.post(`${one['@id']}/preview`, body)
    const done = await w.finance.post(`${one['@id']}/change`, { ...body, token: seen.body.token })
    expect([body, done.status, done.text]).toEqual([body, 200, expect.anything()])
  }
  /**
   * Changes the current items into the wanted items, one change at a time and in an order that never removes the last
   * item.
   */
  const become = async (basket: Basket) => {
    const open = async () => (await read()).items.filter((i: { until: string | null }) => i.until === null)
    for (const [name, quantity] of Object.entries(basket)) {
      const there = (await open()).find((i: { description: string }) => i.description === name)
      if (!there) await change({ way: 'add', plan: plans[name], quantity })
      else if (there.quantity !== quantity) await change({ way: 'quantity', item: there['@id'], quantity })
    }
    for (const there of await open())
      if (!(there.description in basket)) await change({ way: 'remove', item: there['@id'] })
  }
  for (const { day, basket } of STEPS) {
    await moveClock(w.portal.engine, day)
    await run()
    await become(basket)
  }
  await moveClock(w.portal.engine, 121)
  await run()

  // Calculates the charges independently, day by day. Each run of consecutive days with the same quantity is rounded
  // once.
  const ends = [0, 1, 2, 3, 4].map((months) => start.until(start.add({ months }), { largestUnit: 'days' }).days)
  const on = (day: number) => STEPS.findLast((step) => step.day <= day)?.basket ?? {}
  let expected = 0
  for (let n = 0; n + 1 < ends.length; n++) {
    const [from, to] = [ends[n] as number, ends[n + 1] as number]
    for (const [name, price] of Object.entries(PRICES))
      for (let day = from; day < to; ) {
        const quantity = on(day)[name] ?? 0
        let last = day
        while (last < to && (on(last)[name] ?? 0) === quantity) last++
        expected += Math.floor((2 * price * quantity * (last - day) + (to - from)) / (2 * (to - from)))
        day = last
      }
  }
  const id = customer.split('/').at(-1)
  const sum = (rows: { net: number }[]) => rows.reduce((all, row) => all + row.net, 0)
  const invoices = await w.all(`/api/financial/invoices?customer=${id}&itemsPerPage=100`)
  const notes = await w.all(`/api/financial/credit_notes?customer=${id}&itemsPerPage=100`)
  expect(invoices.every((i) => i.state !== 'draft')).toBe(true)
  expect(sum(invoices) - sum(notes) - (await afterwards())).toBe(expected)
  expect(await findLedgerInconsistencies(w.portal.engine, w.person.clientId)).toEqual([])

  async function afterwards(): Promise<number> {
    const { currentFrom } = await read()
    const last = start.add({ months: 4 }).toString()
    return currentFrom < last ? 0 : sum(invoices.filter((i) => i.periodFrom >= last))
  }
})
