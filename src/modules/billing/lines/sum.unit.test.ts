import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calculateTotals } from '#kernel/money-totals.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import {
  computeQuoteTotals,
  describeQuotePayments,
  describeRecurringPayments,
  diffQuoteLines,
  type QuoteTotalsLine,
} from './line.ts'

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

  test('a fixed discount is deducted from a quote only once, even if its plans have several billing intervals', () => {
    const month: QuoteTotalsLine = { quantity: 1, unitAmount: 10_000, interval: 'month', intervalCount: 1 }
    const year: QuoteTotalsLine = { quantity: 1, unitAmount: 30_000, interval: 'year', intervalCount: 1 }
    const fifty = off({ duration: 'forever', percentOff: null, amountOff: 5000 })
    const { gross, afterwards } = sum([month, year], fifty)
    expect(gross).toBe((40_000 - 5000) * 1.2)
    expect(afterwards.reduce((all, a) => all + a.gross, 0)).toBe(gross)
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
  expect(diffQuoteLines(before, after).map((c) => [c.kind, c.before?.description, c.after?.description])).toEqual([
    ['changed', 'Safety', 'Safety pack'],
    ['removed', 'Fleet', undefined],
    ['changed', 'Visit', ' visit '],
    ['added', undefined, 'Folder'],
  ])
})

test('when quotes are compared, identical lines are each matched with a different line of the earlier quote', () => {
  const before = diffLines([diffLine('A'), diffLine('A')])
  expect(
    diffQuoteLines(before, diffLines([diffLine('A'), diffLine('A', 2), diffLine('A')])).map((c) => c.kind),
  ).toEqual(['same', 'changed', 'added'])
})
