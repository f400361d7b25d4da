import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BILLING_INTERVALS, type BillingCycle, billingPeriodOn, nthBillingPeriod } from '#kernel/money/periods.ts'
import type { PricedLineRow } from '../lines/line-vat.ts'
import type { QuoteRow } from '../quotes/quote.ts'
import type { SubscriptionItemRow, SubscriptionRow } from './periods.server.ts'
import type { PriceNoticeRow } from './price-notice.server.ts'
import { nextRenewalOf } from './renewal.server.ts'
import { toSubscriptionItem } from './sell.server.ts'
import {
  type ChargeTerms,
  calculateCostDifferences,
  calculateSegmentCosts,
  currentItems,
  describeItemChange,
  describePausedItems,
  fullPeriodAmount,
  type ItemSegment,
  itemsOnDay,
  type RecurringItem,
  replaceItemsFrom,
  scheduledItemChanges,
  splitIntoProratedPeriods,
  toPausedItems,
} from './timeline.ts'

const sumOf = (of: readonly { readonly net: number }[]): number => of.reduce((all, { net }) => all + net, 0)

const day = (iso: string) => Temporal.PlainDate.from(iso)
const dayAfter = (iso: string, days: number) => day(iso).add({ days }).toString()
const item = (description: string, amount: number, quantity = 1, discountPercent = 0): RecurringItem => ({
  plan: null,
  product: null,
  description,
  amount,
  quantity,
  ...(discountPercent ? { discountPercent } : {}),
  taxCode: 'standard',
  taxPercent: 20,
  discountable: true,
})
const termsFor = (
  cycle: BillingCycle,
  from: string,
  to: string,
  discount: ChargeTerms['discount'] = null,
): ChargeTerms => ({
  currency: 'GBP',
  pieces: splitIntoProratedPeriods(cycle, { from: day(from), to: day(to) }),
  discount,
  covers: (one) => one.discountable,
})
const november: BillingCycle = { anchor: day('2026-11-01'), rhythm: 'month', count: 1 }
const inNovember = termsFor(november, '2026-11-01', '2026-12-01')

describe('the cost of subscription changes', () => {
  const two = replaceItemsFrom([], '2026-11-01', [item('Safety pack', 3000, 2)])

  test('the cost of a subscription change is listed line by line, each with its days', () => {
    const three = replaceItemsFrom(two, '2026-11-17', [item('Safety pack', 3000, 3)])
    expect(calculateCostDifferences(two, three, inNovember).map(({ net, sentence }) => [net, sentence])).toEqual([
      [-2800, 'Safety pack × 2: 14 of 30 days credited, 17/11/2026 to 30/11/2026'],
      [4200, 'Safety pack × 3: 14 of 30 days, 17/11/2026 to 30/11/2026'],
    ])
  })

  test('a subscription change undone on the same day leaves the timeline unchanged', () => {
    const there = replaceItemsFrom(two, '2026-11-17', [item('Safety pack', 3000, 5), item('Talks', 999)])
    const back = replaceItemsFrom(there, '2026-11-17', [item('Safety pack', 3000, 2)])
    expect(back).toEqual(two)
  })

  test("undoing today's subscription change credits exactly what it charged", () => {
    const there = replaceItemsFrom(two, '2026-11-17', [item('Talks', 999)])
    const other = replaceItemsFrom(there, '2026-11-17', [item('Walks', 1001)])
    expect(other.map(({ description, from, until }) => [description, from, until])).toEqual([
      ['Safety pack', '2026-11-01', '2026-11-17'],
      ['Walks', '2026-11-17', null],
    ])
    expect(calculateCostDifferences(there, other, inNovember).map((one) => one.net)).toEqual([-466, 467])
  })

  test('a subscription change is charged for the full period on its first day and for one day on its last', () => {
    const first = replaceItemsFrom(two, '2026-11-01', [item('Talks', 3000)])
    expect(calculateCostDifferences(two, first, inNovember).map((one) => one.sentence)).toEqual([
      'Safety pack × 2: full period credited, 01/11/2026 to 30/11/2026',
      'Talks: full period, 01/11/2026 to 30/11/2026',
    ])
    const last = replaceItemsFrom(two, '2026-11-30', [])
    expect(calculateCostDifferences(two, last, inNovember).map((one) => one.sentence)).toEqual([
      'Safety pack × 2: 1 of 30 days credited, 30/11/2026',
    ])
  })

  test("days are charged at the item's discounted price, rounded once, as stated on the line", () => {
    const three = replaceItemsFrom([], '2026-11-01', [item('Safety pack', 2499, 3, 12.5)])
    const five = replaceItemsFrom(three, '2026-11-11', [item('Safety pack', 2499, 5, 12.5)])
    expect([three, five].map((all) => fullPeriodAmount(all, '2026-11-30'))).toEqual([6560, 10_933])
    // 20 of 30 days: 3 × 24.99 × 87.5% × 20/30 = 43.7325; 5 × 24.99 × 87.5% × 20/30 = 72.8875.
    expect(calculateCostDifferences(three, five, inNovember).map(({ net, sentence }) => [net, sentence])).toEqual([
      [2187 - 6560, 'Safety pack × 3 less 12.5%: 20 of 30 days credited, 11/11/2026 to 30/11/2026'],
      [7289, 'Safety pack × 5 less 12.5%: 20 of 30 days, 11/11/2026 to 30/11/2026'],
    ])
    const restored = replaceItemsFrom(five, '2026-11-11', [item('Safety pack', 2499, 3, 12.5)])
    expect(restored).toEqual(three)
  })

  test('a subscription change that shifts the shares of a fixed discount lists the difference for each item', () => {
    const terms = { ...inNovember, discount: { amountOff: 600, currency: 'GBP' } }
    const more = replaceItemsFrom(two, '2026-11-16', [item('Safety pack', 3000, 2), item('Talks', 6000)])
    const told = calculateCostDifferences(two, more, terms)
    expect(told.map(({ net, sentence }) => [net, sentence])).toEqual([
      [200, 'Safety pack × 2: smaller share of the discount, 01/11/2026 to 30/11/2026'],
      [2800, 'Talks: 15 of 30 days, 16/11/2026 to 30/11/2026'],
    ])
  })
})

describe('days before the first full period', () => {
  test('days before the first full period are charged as shares of the periods they fall in', () => {
    const cycle: BillingCycle = { anchor: day('2026-03-01'), rhythm: 'month', count: 1 }
    expect(splitIntoProratedPeriods(cycle, { from: day('2026-01-17'), to: day('2026-03-01') })).toEqual([
      { from: '2026-01-17', to: '2026-02-01', ofDays: 31 },
      { from: '2026-02-01', to: '2026-03-01', ofDays: 28 },
    ])
  })

  test('in a billing cycle that started on 29 February, 28 February to 28 February counts as a full period', () => {
    const leap: BillingCycle = { anchor: day('2024-02-29'), rhythm: 'year', count: 1 }
    expect(splitIntoProratedPeriods(leap, nthBillingPeriod(leap, 1))).toEqual([
      { from: '2025-02-28', to: '2026-02-28', ofDays: 365 },
    ])
  })
})

// A change: its day within the period, and the items from that day on.
interface TimelineChange {
  readonly on: number
  readonly items: readonly RecurringItem[]
}
const anchors = fc.constantFrom(
  '2024-01-31',
  '2024-02-29',
  '2026-03-29', // Clocks go forward.
  '2026-10-25', // Clocks go back.
  '2026-08-31',
  '2027-12-15',
)
const sold = fc.record({
  description: fc.constantFrom('Safety', 'Talks', 'Users'),
  amount: fc.constantFrom(0, 1, 333, 2999, 10_001),
  quantity: fc.integer({ min: 1, max: 7 }),
  off: fc.constantFrom(0, 0, 12.5, 33.3333, 100),
})
/** At most one item of each kind, as in a subscription. */
const basket = fc
  .uniqueArray(sold, { selector: (one) => one.description, maxLength: 3 })
  .map((all) => all.map((one) => item(one.description, one.amount, one.quantity, one.off)))
const steps = (most: number): fc.Arbitrary<TimelineChange[]> =>
  fc
    .array(fc.record({ on: fc.integer({ min: 0, max: most }), items: basket }), { maxLength: 12 })
    .map((all) => all.toSorted((a, b) => a.on - b.on))
const cycles = fc.record({
  anchor: anchors.map(day),
  rhythm: fc.constantFrom(...BILLING_INTERVALS),
  count: fc.constantFrom(1, 2),
})

/** Calculates the costs independently, day by day. Consecutive days with the same item are counted together. */
function byTheDay(first: readonly RecurringItem[], all: readonly TimelineChange[], length: number) {
  const days: (readonly RecurringItem[])[] = Array.from({ length }, () => first)
  for (const { on, items } of all) days.fill(items, on)
  const runs: { item: RecurringItem; days: number }[] = []
  let open = new Map<string, { item: RecurringItem; days: number }>()
  for (const items of days) {
    const next: typeof open = new Map()
    for (const one of items) {
      const name = JSON.stringify(one)
      const run = open.get(name) ?? { item: one, days: 0 }
      if (run.days === 0) runs.push(run)
      run.days += 1
      next.set(name, run)
    }
    open = next
  }
  return runs
}

describe('any sequence of changes', () => {
  test('any sequence of subscription changes charges exactly the days used, to the penny', () => {
    fc.assert(
      fc.property(cycles, basket, fc.gen(), (cycle, first, gen) => {
        const period = nthBillingPeriod(cycle, 3)
        const [from, to] = [period.from.toString(), period.to.toString()]
        const terms = termsFor(cycle, from, to)
        const length = terms.pieces[0]?.ofDays ?? 0
        const all = gen(() => steps(length - 1))
        let timeline: ItemSegment[] = replaceItemsFrom([], from, first)
        let charged = sumOf(calculateSegmentCosts(timeline, terms))
        for (const { on, items } of all) {
          const next = replaceItemsFrom(timeline, dayAfter(from, on), items)
          const lines = calculateCostDifferences(timeline, next, terms)
          expect(lines.every((one) => one.net !== 0 && one.from < one.to)).toBe(true)
          charged += sumOf(lines)
          timeline = next
        }
        const runs = byTheDay(first, all, length)
        const half = (n: number, of: number) => Math.floor((2 * n + of) / (2 * of))
        // Millionths of the price that remain after the item's own discount.
        const left = ({ discountPercent }: RecurringItem) => 1_000_000 - Math.round((discountPercent ?? 0) * 10_000)
        const cost = ({ item: of, days }: (typeof runs)[number]) =>
          half(of.amount * of.quantity * left(of) * days, 1_000_000 * length)
        expect(charged).toBe(runs.reduce((sum, run) => sum + cost(run), 0))
      }),
      { numRuns: 400 },
    )
  })

  test('with a discount, subscription changes add up to the cost of the final timeline and never fall below zero', () => {
    const discounts = fc.oneof(
      fc.constantFrom(5, 10, 33.3, 100).map((percentOff) => ({ percentOff })),
      fc.constantFrom(1, 500, 99_999).map((amountOff) => ({ amountOff, currency: 'GBP' })),
    )
    fc.assert(
      fc.property(cycles, basket, discounts, fc.gen(), (cycle, first, discount, gen) => {
        const period = nthBillingPeriod(cycle, 1)
        const terms = termsFor(cycle, period.from.toString(), period.to.toString(), discount)
        const from = period.from.toString()
        let timeline: ItemSegment[] = replaceItemsFrom([], from, first)
        let charged = sumOf(calculateSegmentCosts(timeline, terms))
        for (const { on, items } of gen(() => steps((terms.pieces[0]?.ofDays ?? 1) - 1))) {
          const next = replaceItemsFrom(timeline, dayAfter(from, on), items)
          charged += sumOf(calculateCostDifferences(timeline, next, terms))
          timeline = next
          expect(charged).toBe(sumOf(calculateSegmentCosts(timeline, terms)))
          expect(charged).toBeGreaterThanOrEqual(0)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('on each day, a timeline contains the items last set for that day', () => {
    fc.assert(
      fc.property(basket, steps(40), (first, all) => {
        const from = '2026-03-20'
        let timeline: ItemSegment[] = replaceItemsFrom([], from, first)
        for (const { on, items } of all) timeline = replaceItemsFrom(timeline, dayAfter(from, on), items)
        const names = (items: readonly RecurringItem[]) =>
          items.map((one) => [one.description, one.amount, one.quantity].join()).sort()
        for (let n = 0; n <= 40; n++) {
          const said = all.findLast((step) => step.on <= n)?.items ?? first
          expect(names(itemsOnDay(timeline, dayAfter(from, n)))).toEqual(names(said))
        }
        expect(timeline.every((s) => s.until === null || s.from < s.until)).toBe(true)
      }),
    )
  })

  test('the prorated periods of any billing cycle cover all its days', () => {
    fc.assert(
      fc.property(cycles, fc.integer({ min: 0, max: 800 }), (cycle, n) => {
        const period = billingPeriodOn(cycle, cycle.anchor.add({ days: n }))
        const [piece, ...more] = splitIntoProratedPeriods(cycle, period)
        expect(more).toEqual([])
        expect(
          calculateSegmentCosts(
            replaceItemsFrom([], piece?.from ?? '', [item('Safety', 12_345)]),
            termsFor(cycle, period.from.toString(), period.to.toString()),
          )[0]?.net,
        ).toBe(12_345)
      }),
    )
  })
})

test('a fractional quantity of a plan becomes an item without a plan, so that renewals use the signed price', () => {
  const line = { plan: 7, description: 'Contractors', quantity: 1.5, unitAmount: 2900, discountable: true }
  const row = { currency: 'GBP', taxPercent: 20 }
  expect(toSubscriptionItem(line as PricedLineRow, row as QuoteRow, null)).toMatchObject({
    plan: null,
    description: 'Contractors × 1.5 at £29.00',
    amount: 4350,
    quantity: 1,
  })
  expect(toSubscriptionItem({ ...line, discountPercent: 10 } as PricedLineRow, row as QuoteRow, null)).toMatchObject({
    description: 'Contractors × 1.5 at £29.00 less 10%',
    amount: 3915,
    quantity: 1,
  })
  expect(toSubscriptionItem({ ...line, quantity: 2 } as PricedLineRow, row as QuoteRow, null)).toMatchObject({
    plan: 7,
    amount: 2900,
    quantity: 2,
  })
})

describe('changes from the next period', () => {
  const december = '2026-12-01'
  const open = (of: RecurringItem): ItemSegment => ({ ...of, from: '2026-11-01', until: null })
  const [packs, talks, users] = [item('Packs', 1000, 5), item('Talks', 700), item('Users', 300, 2)]
  const words = (timeline: readonly ItemSegment[]) => scheduledItemChanges(timeline, december).map(describeItemChange)

  test('a change from the next period is described by its effect, and the current items remain', () => {
    const now = [packs, talks].map(open)
    const after = replaceItemsFrom(now, december, [{ ...packs, quantity: 3 }, users])
    expect(words(after)).toEqual(['Packs: quantity 5 → 3', 'Talks → Users × 2'])
    expect(currentItems(after, december).map(({ description }) => description)).toEqual(['Packs', 'Talks'])
    expect(words(replaceItemsFrom(now, december, [packs]))).toEqual(['Talks removed'])
    expect(words(replaceItemsFrom(now, december, [packs, talks, users]))).toEqual(['Users × 2 added'])
    expect(words(now)).toEqual([])
    expect(replaceItemsFrom(after, december, [packs, talks])).toEqual(now)
  })

  test("a paused subscription's description names the items with which it resumes, now and from the next period", () => {
    const timeline = replaceItemsFrom([packs, talks].map(open), december, [packs, users])
    const paused = toPausedItems(timeline, '2026-11-20', december)
    const describeOn = (today: string) => describePausedItems(paused, { today, renewsOn: december })
    expect(describeOn('2026-11-25')).toBe('Resumes with Packs × 5, Talks, from 01/12/2026 with Packs × 5, Users × 2.')
    expect(describeOn('2026-12-03')).toBe('Resumes with Packs × 5, Users × 2.')
  })

  test('a new price applies to an item whose quantity changes on the day from which the notice applies', () => {
    const of = { ...packs, plan: 7 }
    const after = replaceItemsFrom([open(of)], december, [{ ...of, quantity: 3 }])
    const row = {
      id: 1,
      anchor: '2026-11-01',
      interval: 'month',
      intervalCount: 1,
      currentFrom: '2026-11-01',
      renewsOn: december,
      charged: true,
      couponTerms: null,
      couponPeriodsLeft: null,
    } as unknown as SubscriptionRow
    const notice = { subscription: 1, plan: 7, formerAmount: 1000, amount: 1200 } as PriceNoticeRow
    const now = Temporal.Instant.from('2026-12-01T00:30:00Z')
    const { lines, set } = nextRenewalOf({ now }, row, after as unknown as SubscriptionItemRow[], [notice])
    expect(lines.map(({ quantity, unitAmount }) => [quantity, unitAmount])).toEqual([[3, 1200]])
    expect(set.amount).toBe(3600)
  })
})
