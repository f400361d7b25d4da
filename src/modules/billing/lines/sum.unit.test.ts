import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calculateTotals } from '#kernel/money-totals.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import { computeInvoiceTotals } from '../invoices/amounts.ts'
import type { QuoteRow } from '../quotes/quote.ts'
import { type SubscriptionItemRow, type SubscriptionRow, toChargeTerms } from '../subscriptions/periods.server.ts'
import { forecastInvoices, nextRenewalOf } from '../subscriptions/renewal.server.ts'
import { initialSubscriptionValues, readSignedQuote, toSubscriptionItem } from '../subscriptions/sell.server.ts'
import {
  calculateCostDifferences,
  type ItemSegment,
  itemsOnDay,
  type RecurringItem,
  replaceItemsFrom,
} from '../subscriptions/timeline.ts'
import { computeQuoteTotals, diffQuoteLines, type QuoteTotalsLine } from './line.ts'
import { describeQuoteDiscount, describeQuotePayments, describeRecurringPayments } from './payment-words.ts'

const line = fc.record({
  quantity: fc.integer({ min: 1, max: 500 }),
  unitAmount: fc.integer({ min: 0, max: 9_999_999 }).map((n) => n / 100),
  taxPercent: fc.constantFrom(null, 0, 5, 20, 100),
  plan: fc.constantFrom(undefined, '/api/financial/plans/1', '/api/financial/plans/2'),
  discountable: fc.boolean(),
})
const withRhythm = (l: Omit<QuoteTotalsLine, 'interval'>): QuoteTotalsLine => ({
  ...l,
  interval: l.plan ? 'month' : null,
  intervalCount: 1,
})
const lines = fc.array(line.map(withRhythm), { maxLength: 40 })
const off = (more: Partial<CouponTerms>): CouponTerms => ({ percentOff: 10, amountOff: null, currency: null, ...more })
const sum = (all: readonly QuoteTotalsLine[], coupon: CouponTerms | null = null) =>
  computeQuoteTotals({ currency: 'GBP', taxPercent: 20, lines: all, coupon })

describe('quote totals', () => {
  test('quote totals without a coupon equal the totals calculated by the kernel', () =>
    fc.assert(
      fc.property(lines, (all) => {
        const { afterwards: _, ...own } = sum(all)
        expect(own).toEqual(calculateTotals({ currency: 'GBP', taxPercent: 20, lines: all }))
      }),
    ))

  test("only plans count as recurring in a quote's totals, at full price once the discount has ended", () =>
    fc.assert(
      fc.property(lines, (all) => {
        const plans = all.filter((l) => l.interval)
        const full = calculateTotals({ currency: 'GBP', taxPercent: 20, lines: plans }).gross
        const [again] = sum(all, off({ duration: 'once' })).afterwards
        expect(again?.gross ?? 0).toBe(full)
        const [lasting] = sum(all, off({ duration: 'forever' })).afterwards
        expect(lasting?.gross ?? 0).toBeLessThanOrEqual(full)
      }),
    ))

  test('a fixed discount is deducted from a quote only once, even if its plans have different billing intervals', () => {
    const month: QuoteTotalsLine = { quantity: 1, unitAmount: 10_000, interval: 'month', intervalCount: 1 }
    const year: QuoteTotalsLine = { quantity: 1, unitAmount: 30_000, interval: 'year', intervalCount: 1 }
    const fifty = off({ duration: 'forever', percentOff: null, amountOff: 5000 })
    const { gross, afterwards } = sum([month, year], fifty)
    expect(gross).toBe((40_000 - 5000) * 1.2)
    expect(afterwards.reduce((all, a) => all + a.gross, 0)).toBe(gross)
  })

  test('“£50.00 off every payment” leaves £19.00 to pay on a plan of £69.00, although a set-up fee shared the first discount', () => {
    const plan: QuoteTotalsLine = { quantity: 1, unitAmount: 6900, interval: 'month', intervalCount: 1 }
    const fee: QuoteTotalsLine = { quantity: 1, unitAmount: 20_000 }
    const fifty = off({ duration: 'forever', percentOff: null, amountOff: 5000 })
    const totals = sum([plan, fee], fifty)
    expect([totals.discount, totals.lines[0]?.discount, totals.afterwards[0]?.gross]).toEqual([5000, 1283, 2280])
    expect(describeQuoteDiscount(fifty, totals)).toBe('£50.00 off every payment')
  })

  test('the discount of a quote with several billing intervals is described as it applies to each later payment', () => {
    const month: QuoteTotalsLine = { quantity: 1, unitAmount: 4500, interval: 'month', intervalCount: 1 }
    const year: QuoteTotalsLine = { quantity: 1, unitAmount: 45_000, interval: 'year', intervalCount: 1 }
    const words = (more: Partial<CouponTerms>) => {
      const terms = off({ percentOff: null, amountOff: 5000, ...more })
      return describeQuoteDiscount(terms, sum([month, year], terms))
    }
    expect(words({ duration: 'forever' })).toBe(
      '£50.00 off the first payment, then £4.55 every month and £45.45 every year',
    )
    expect(words({ duration: 'periods', durationPeriods: 3 })).toContain('£45.45 every year up to payment 3')
    expect(words({ duration: 'once' })).toBe('£50.00 off')
    expect(words({ duration: 'forever', percentOff: 10, amountOff: null })).toBe('10% off every payment')
  })

  test('a coupon discounts only the quote lines it applies to', () =>
    fc.assert(
      fc.property(lines, (all) => {
        const { lines: each } = sum(all, off({ plans: ['/api/financial/plans/1'] }))
        all.forEach((l, i) => {
          if (l.plan !== '/api/financial/plans/1' || !l.discountable) expect(each[i]?.discount).toBe(0)
        })
      }),
    ))

  test("a quote's recurring payments are described in words", () => {
    const month: QuoteTotalsLine = { quantity: 1, unitAmount: 1000, interval: 'month', intervalCount: 1 }
    const year: QuoteTotalsLine = { quantity: 1, unitAmount: 5000, interval: 'month', intervalCount: 3 }
    const { afterwards } = sum([month, year], off({ duration: 'periods', durationPeriods: 3, percentOff: 50 }))
    expect(describeRecurringPayments(afterwards)).toEqual([
      { when: 'every month up to payment 3', pence: 600 },
      { when: 'every month from payment 4', pence: 1200 },
      { when: 'every 3 months up to payment 3', pence: 3000 },
      { when: 'every 3 months from payment 4', pence: 6000 },
    ])
    const once = sum([month, year], off({ duration: 'periods', durationPeriods: 1, percentOff: 50 }))
    expect(describeRecurringPayments(once.afterwards)).toEqual([
      { when: 'every month', pence: 1200 },
      { when: 'every 3 months', pence: 6000 },
    ])
    const paid = { total: once.gross, totals: once, currency: 'GBP' as const }
    expect(describeQuotePayments(paid)).toBe(
      '£36.00 first, then £12.00 every month and £60.00 every 3 months, including VAT',
    )
    expect(describeQuotePayments({ ...paid, totals: null })).toBe('£36.00 including VAT')
    expect(sum([{ ...month, interval: null }]).afterwards).toEqual([])
  })
})

const diffLine = (description: string, quantity = 1, unitAmount = 100, plan?: string) => ({
  description,
  quantity,
  unitAmount,
  ...(plan ? { plan } : {}),
})
const diffLines = (plans: ReturnType<typeof diffLine>[], additionalItems: ReturnType<typeof diffLine>[] = []) => ({
  plans,
  skus: [],
  additionalItems,
})

test('comparing two quotes reports each line as added, changed, unchanged or removed', () => {
  const before = diffLines(
    [diffLine('Safety', 1, 4500, '/plans/1'), diffLine('Fleet', 1, 3900, '/plans/2')],
    [diffLine('Visit')],
  )
  const after = diffLines([diffLine('Safety pack', 2, 4500, '/plans/1')], [diffLine(' visit '), diffLine('Folder')])
  const less = { ...diffLine('Visit'), discountPercent: 10 }
  expect(diffQuoteLines(diffLines([], [diffLine('Visit')]), diffLines([], [less]))[0]?.kind).toBe('changed')
  expect(diffQuoteLines(before, after).map((c) => [c.kind, c.before?.description, c.after?.description])).toEqual([
    ['changed', 'Safety', 'Safety pack'],
    ['removed', 'Fleet', undefined],
    ['changed', 'Visit', ' visit '],
    ['added', undefined, 'Folder'],
  ])
})

test('when quotes are compared, identical lines are each matched to a different line of the earlier quote', () => {
  const before = diffLines([diffLine('A'), diffLine('A')])
  expect(
    diffQuoteLines(before, diffLines([diffLine('A'), diffLine('A', 2), diffLine('A')])).map((c) => c.kind),
  ).toEqual(['same', 'changed', 'added'])
})

describe('a signed quote with a coupon', () => {
  const day = (iso: string) => Temporal.PlainDate.from(iso)
  const dayAfter = (iso: string, days: number) => day(iso).add({ days }).toString()
  const sumOf = (of: readonly { readonly net: number }[]): number => of.reduce((all, { net }) => all + net, 0)
  const START = '2026-11-27'
  const YEARS = 3
  const INTERVALS = [
    ['month', 1],
    ['month', 3],
    ['year', 1],
  ] as const
  const now = Temporal.Instant.from(`${START}T12:00:00Z`)
  const planLine = fc.record({
    rhythm: fc.constantFrom(...INTERVALS),
    quantity: fc.integer({ min: 1, max: 5 }),
    unitAmount: fc.constantFrom(0, 1, 999, 2900, 4500, 6900, 45_000),
    discountPercent: fc.constantFrom(null, 0, 12.5, 33.3333, 100),
    taxPercent: fc.constantFrom(0, 5, 20),
  })
  const oneOff = fc.record({
    quantity: fc.constantFrom(1, 1.5, 7),
    unitAmount: fc.constantFrom(0, 12.5, 3333, 20_000),
    discountPercent: fc.constantFrom(null, 12.5),
  })
  const couponOf = (off: { percentOff: number | null; amountOff: number | null }, duration: string, periods: number) =>
    ({ name: 'Off', currency: 'GBP', plans: [], ...off, duration, durationPeriods: periods }) satisfies CouponTerms
  const coupon = fc
    .tuple(
      fc.oneof(
        fc.integer({ min: 1, max: 100 }).map((percentOff) => ({ percentOff, amountOff: null })),
        fc.constantFrom(1, 100, 5000, 99_999).map((amountOff) => ({ percentOff: null, amountOff })),
      ),
      fc.constantFrom('once', 'periods', 'forever'),
      fc.integer({ min: 1, max: 5 }),
    )
    .map((all) => couponOf(...all))
  const signed = (
    plans: readonly { rhythm: (typeof INTERVALS)[number]; quantity: number; unitAmount: number }[],
    items: readonly { quantity: number; unitAmount: number }[],
    terms: CouponTerms | null,
  ): QuoteRow => {
    const line = { plan: null, sku: null, discountable: true, taxCode: null, taxPercent: 20, description: 'Visit' }
    const own = plans.map(({ rhythm: [interval, intervalCount], ...rest }, n) => ({
      ...line,
      ...rest,
      plan: n + 1,
      description: `Plan ${n + 1}`,
      interval,
      intervalCount,
    }))
    const additionalItems = items.map((rest) => ({ ...line, ...rest, interval: null, intervalCount: null }))
    const whole = { currency: 'GBP', taxPercent: 20, prorate: true, billingCycleAnchor: null, couponTerms: terms }
    return { ...whole, plans: own, skus: [], additionalItems } as unknown as QuoteRow
  }
  const monthsOf = ([interval, count]: (typeof INTERVALS)[number]) => (interval === 'year' ? 12 : 1) * count
  const dayOf = (months: number) => day(START).add({ months }).toString()
  /** Shares an amount by largest remainders, without the code under test. */
  const share = (amount: number, weights: readonly number[]): number[] => {
    const all = weights.reduce((a, b) => a + b, 0)
    if (!all) return weights.map(() => 0)
    const exact = weights.map((w, n) => ({ n, w, floor: Math.floor((amount * w) / all), rest: (amount * w) % all }))
    const left = amount - exact.reduce((sum, { floor }) => sum + floor, 0)
    const first = exact.toSorted((a, b) => b.rest - a.rest || b.w - a.w || a.n - b.n).slice(0, left)
    return exact.map((one) => one.floor + (first.includes(one) ? 1 : 0))
  }
  const halfUp = (n: number, of: number) => Math.floor((2 * n + of) / (2 * of))
  /** Cost of some days of a line after its own discount, rounded once, without the code under test. */
  const costOf = (
    { unitAmount, discountPercent }: { unitAmount: number; discountPercent?: number | null },
    quantity: number,
    days = 1,
    ofDays = 1,
  ) => {
    const left = 1_000_000 - Math.round((discountPercent ?? 0) * 10_000)
    return halfUp(quantity * unitAmount * left * days, 1_000_000 * ofDays)
  }
  const isDiscounted = (terms: CouponTerms, payment: number) =>
    terms.duration === 'forever' || payment <= (terms.duration === 'once' ? 1 : (terms.durationPeriods ?? 1))

  test('for three years, each invoice charges what the signed quote and its coupon state', () => {
    fc.assert(
      fc.property(
        fc.array(planLine, { minLength: 1, maxLength: 4 }),
        fc.array(oneOff, { maxLength: 2 }),
        fc.option(coupon),
        (plans, items, terms) => {
          const row = signed(plans, items, terms)
          const all = [...row.plans, ...row.additionalItems]
          const totals = computeQuoteTotals({ currency: 'GBP', taxPercent: 20, lines: all, coupon: terms })
          const groups = [...Map.groupBy(plans, ({ rhythm }) => rhythm).entries()]
          const sums = groups.map(([, lines]) => lines.reduce((sum, l) => sum + costOf(l, l.quantity), 0))
          const weights = sums.some((sum) => sum > 0) ? sums : sums.map(() => 1)
          const shares = share(terms?.amountOff ?? 0, weights)
          // By day, the stated amounts are gross as on the quote, and the promised ones net as in the coupon.
          const due = new Map<string, { gross: number; net: number }>([
            [START, { gross: totals.gross, net: totals.net }],
          ])
          for (const [i, [rhythm]] of groups.entries())
            for (let payment = 2; (payment - 1) * monthsOf(rhythm) <= YEARS * 12; payment++) {
              const at = dayOf((payment - 1) * monthsOf(rhythm))
              const stated = totals.afterwards[i]
              const isStill = payment <= (stated?.discountedPeriods ?? 0)
              const gross = (isStill ? stated?.discountedGross : stated?.gross) ?? 0
              const sum = sums[i] ?? 0
              const off =
                !terms || !isDiscounted(terms, payment)
                  ? 0
                  : terms.percentOff === null
                    ? Math.min(shares[i] ?? 0, sum)
                    : halfUp(sum * terms.percentOff, 100)
              const before = due.get(at) ?? { gross: 0, net: 0 }
              due.set(at, { gross: before.gross + gross, net: before.net + sum - off })
            }
          const made = new Map<string, { gross: number; net: number }>()
          const last = dayOf(YEARS * 12)
          for (const one of forecastInvoices({ now }, row, 500).invoices) {
            if (one.day > last) continue
            const before = made.get(one.day) ?? { gross: 0, net: 0 }
            made.set(one.day, { gross: before.gross + one.total, net: before.net + one.net })
          }
          expect(Object.fromEntries(made)).toEqual(Object.fromEntries(due))
        },
      ),
      { numRuns: 60 },
    )
  }, 120_000)

  test('for three years, each period is charged by the day, minus its coupon, whatever quantities change', () => {
    const change = fc.record({
      month: fc.integer({ min: 0, max: YEARS * 12 - 1 }),
      days: fc.integer({ min: 0, max: 27 }),
      line: fc.nat({ max: 3 }),
      quantity: fc.integer({ min: 1, max: 9 }),
    })
    fc.assert(
      fc.property(
        fc.array(planLine, { minLength: 1, maxLength: 3 }),
        fc.array(oneOff, { maxLength: 1 }),
        coupon,
        fc.array(change, { maxLength: 12 }),
        (plans, oneOffs, terms, changes) => {
          const row = signed(plans, oneOffs, terms)
          const { lines, intervals } = readSignedQuote(row)
          const sums = intervals.map((one) => one.lines.reduce((sum, { line: l }) => sum + costOf(l, l.quantity), 0))
          const weights = sums.some((sum) => sum > 0) ? sums : sums.map(() => 1)
          const every = share(terms.amountOff ?? 0, weights)
          const unused = share((terms.amountOff ?? 0) - lines.reduce((sum, { discount }) => sum + discount, 0), weights)
          for (const [i, signedInterval] of intervals.entries()) {
            const own = signedInterval.lines
            const items = own.map(({ line }) => toSubscriptionItem(line, row, null))
            const values = initialSubscriptionValues(row, items, signedInterval, {
              start: START,
              anchor: START,
              isLater: false,
            })
            let sub = { ...values, id: 1, cancelAtPeriodEnd: false, poNumber: '' } as SubscriptionRow
            let timeline: readonly ItemSegment[] = items.map((one) => ({ ...one, from: START, until: null }))
            let charged = sumOf(own.map(({ line, discount }) => ({ net: costOf(line, line.quantity) - discount })))
            const mine = changes
              .filter(({ line }) => line < own.length)
              .map((one) => ({ ...one, at: day(dayOf(one.month)).add({ days: one.days }).toString() }))
              .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
            for (let period = 1; sub.currentFrom < dayOf(YEARS * 12); period++) {
              for (const one of mine.filter(({ at }) => at >= sub.currentFrom && at < sub.renewsOn)) {
                const { description } = items[one.line] as RecurringItem
                const next = itemsOnDay(timeline, one.at).map((was) =>
                  was.description === description ? { ...was, quantity: one.quantity } : was,
                )
                const after = replaceItemsFrom(timeline, one.at, next)
                charged += sumOf(calculateCostDifferences(timeline, after, toChargeTerms(sub)))
                timeline = after
              }
              expect(Math.abs(charged - promised(sub, period))).toBeLessThanOrEqual(
                // A percentage of the first payment is rounded once, over all lines of the quote.
                period === 1 && terms.percentOff !== null ? own.length : 0,
              )
              const renewal = nextRenewalOf({ now }, sub, timeline as unknown as SubscriptionItemRow[])
              const { percentOff, amountOff } = renewal.coupon ?? { percentOff: null, amountOff: null }
              charged = computeInvoiceTotals({ currency: 'GBP', percentOff, amountOff }, renewal.lines).net
              sub = { ...sub, ...renewal.set } as SubscriptionRow
              timeline = renewal.after
            }

            /** Returns the charge for a period, by runs of days with the same quantity, minus the coupon. */
            function promised({ currentFrom: from, renewsOn: to }: SubscriptionRow, period: number): number {
              const whole = day(from).until(day(to), { largestUnit: 'days' }).days
              let sum = 0
              for (const [n, { line }] of own.entries()) {
                const on = (at: string) =>
                  mine.findLast((one) => one.line === n && one.at <= at)?.quantity ?? line.quantity
                for (let first = 0; first < whole; ) {
                  let end = first
                  while (end < whole && on(dayAfter(from, end)) === on(dayAfter(from, first))) end++
                  sum += costOf(line, on(dayAfter(from, first)), end - first, whole)
                  first = end
                }
              }
              if (!isDiscounted(terms, period)) return sum
              if (terms.percentOff !== null) return sum - halfUp(sum * terms.percentOff, 100)
              const signedOff = own.reduce((all, { discount }) => all + discount, 0) + (unused[i] ?? 0)
              return sum - Math.min(period === 1 ? signedOff : (every[i] ?? 0), sum)
            }
          }
        },
      ),
      { numRuns: 25 },
    )
  }, 120_000)
})
