import { afterEach, beforeAll, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { verifyClientEvidence } from '#server/evidence/verify.ts'
import { raiseMoneyLimit } from '#test/support/invoices.ts'
import { makeSalesWorld, type SalesWorld } from '#test/support/sales.ts'
import { findLedgerInconsistencies } from '../ledger/command.server.ts'

let w: SalesWorld
beforeAll(async () => {
  w = await makeSalesWorld()
  await raiseMoneyLimit(w)
})
afterEach(() => moveClock(w.portal.engine, 0))

const PRICES: Readonly<Record<string, number>> = { Safety: 3100, Talks: 999, People: 1250, Cards: 777, Guides: 1999 }
/** Plans that are changed from the next period only. */
const LATER = ['Cards', 'Guides']
type Basket = Readonly<Record<string, number>>
interface Step {
  readonly day: number
  /** Changes made now. */
  readonly basket?: Basket
  /** Changes from the next period; a quantity of 0 removes the item. */
  readonly next?: Basket
  /** Plans that are exchanged from the next period. */
  readonly swap?: readonly [string, string]
  readonly way?: 'withdraw' | 'pause' | 'resume' | 'cancelAtPeriodEnd' | 'keep'
}

/** Changes over four months. Some fall on the same day, or on the first or last day of a period. */
const STEPS: readonly Step[] = [
  { day: 0, basket: { Safety: 3 } },
  { day: 0, basket: { Safety: 2 } },
  { day: 3, basket: { Safety: 2, Talks: 5 } },
  { day: 3, basket: { Safety: 2, Talks: 4 } },
  { day: 5, next: { Cards: 4 } },
  { day: 17, basket: { Talks: 4 } },
  { day: 17, basket: { Talks: 4, People: 1 } },
  { day: 33, basket: { Talks: 4, People: 7 } },
  { day: 33, next: { Cards: 6 } },
  { day: 34, basket: { People: 7 } },
  { day: 36, way: 'withdraw' },
  { day: 40, next: { Cards: 1 } },
  { day: 41, way: 'cancelAtPeriodEnd' },
  { day: 42, way: 'keep' },
  { day: 43, next: { Cards: 2 } },
  { day: 59, basket: { People: 7, Safety: 1 } },
  { day: 60, basket: { People: 2, Safety: 1 } },
  { day: 64, swap: ['Cards', 'Guides'] },
  { day: 66, way: 'pause' },
  { day: 71, way: 'resume' },
  { day: 93, basket: { People: 2 } },
  { day: 93, basket: { People: 2, Talks: 1 } },
  { day: 95, basket: { Talks: 1 } },
  { day: 96, next: { Guides: 0 } },
]

/** Returns the quantities charged on each day, given the first days of the periods. */
function quantitiesByDay(starts: readonly number[]): Basket[] {
  let now: Basket = {}
  let due: Basket = {}
  let isPaused = false
  return Array.from({ length: (starts.at(-1) ?? 0) + 1 }, (_, day) => {
    if (starts.includes(day)) [now, due] = [{ ...now, ...due }, {}]
    for (const { basket, next, swap, way } of STEPS.filter((step) => step.day === day)) {
      if (basket) now = { ...Object.fromEntries(LATER.map((name) => [name, now[name] ?? 0])), ...basket }
      due = { ...due, ...next }
      if (swap) due = { ...due, [swap[0]]: 0, [swap[1]]: now[swap[0]] ?? 0 }
      if (way === 'withdraw' || way === 'cancelAtPeriodEnd') due = {}
      if (way === 'pause' || way === 'resume') isPaused = way === 'pause'
    }
    return isPaused ? {} : now
  })
}

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
    const done = await w.finance.post(`${one['@id']}/change`, { ...body, reason: 'closed', token: seen.body.token })
    expect([body, done.status, done.text]).toEqual([body, 200, expect.anything()])
  }
  /**
   * Changes the current items into the wanted items, one change at a time and in an order that never removes the last
   * item.
   */
  const open = async () => (await read()).items.filter((i: { until: string | null }) => i.until === null)
  const itemOf = async (name: string) =>
    (await open()).find((i: { description: string }) => i.description === name)?.['@id']
  const take = async ({ basket, next = {}, swap, way }: Step) => {
    const when = 'nextPeriod'
    if (basket) await become(basket)
    for (const [name, quantity] of Object.entries(next)) {
      const item = await itemOf(name)
      if (!item) await change({ way: 'add', plan: plans[name], quantity, when })
      else if (quantity) await change({ way: 'quantity', item, quantity, when })
      else await change({ way: 'remove', item, when })
    }
    if (swap) await change({ way: 'swap', item: await itemOf(swap[0]), plan: plans[swap[1]], when })
    if (way === 'withdraw') await change({ way, item: await itemOf('Cards') })
    else if (way) await change({ way })
  }
  const become = async (basket: Basket) => {
    for (const [name, quantity] of Object.entries(basket)) {
      const there = (await open()).find((i: { description: string }) => i.description === name)
      if (!there) await change({ way: 'add', plan: plans[name], quantity })
      else if (there.quantity !== quantity)
        await change({ way: 'quantity', item: there['@id'], quantity, credit: true })
    }
    for (const there of await open())
      if (!(there.description in basket) && !LATER.includes(there.description))
        await change({ way: 'remove', item: there['@id'], credit: true })
  }
  for (const step of STEPS) {
    await moveClock(w.portal.engine, step.day)
    await run()
    await take(step)
  }
  await moveClock(w.portal.engine, 121)
  await run()

  // Calculates the charges independently, day by day. Each run of consecutive days with the same quantity is rounded
  // once.
  const ends = [0, 1, 2, 3, 4].map((months) => start.until(start.add({ months }), { largestUnit: 'days' }).days)
  const days = quantitiesByDay(ends)
  const on = (day: number) => days[day] ?? {}
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
  expect((await verifyClientEvidence(w.portal.engine, w.person.clientId)).findings).toEqual([])

  async function afterwards(): Promise<number> {
    const { currentFrom } = await read()
    const last = start.add({ months: 4 }).toString()
    return currentFrom < last ? 0 : sum(invoices.filter((i) => i.periodFrom >= last))
  }
})
