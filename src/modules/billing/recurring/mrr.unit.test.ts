import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countReportMonths,
  filterChangesByMovement,
  listReportMonths,
  monthlyShareInPence,
  REVENUE_MOVEMENTS,
  type RecurringRevenueSpan,
  revenueChangesBetween,
  sumRevenueMovements,
} from './mrr.ts'

const span = (
  from: string,
  until: string | null,
  monthly: number,
  more: Partial<RecurringRevenueSpan> = {},
): RecurringRevenueSpan => ({
  customer: 1,
  subscription: 1,
  product: 1,
  currency: 'GBP',
  from,
  until,
  monthly,
  ...more,
})
const november = (...of: RecurringRevenueSpan[]) =>
  sumRevenueMovements(revenueChangesBetween(of, '2026-10-31', '2026-11-30'))
const nothing = { start: 0, new: 0, expansion: 0, contraction: 0, churn: 0, end: 0 }

describe('monthly recurring revenue', () => {
  test('monthly recurring revenue includes a twelfth of yearly and a third of quarterly prices, to the nearest penny', () => {
    expect(monthlyShareInPence({ amount: 12_000, quantity: 1 }, 'year', 1)).toBe(1000)
    expect(monthlyShareInPence({ amount: 1000, quantity: 1 }, 'quarter', 1)).toBe(333)
    expect(monthlyShareInPence({ amount: 1001, quantity: 2 }, 'quarter', 1)).toBe(667)
    expect(monthlyShareInPence({ amount: 4500, quantity: 3 }, 'month', 1)).toBe(13_500)
    expect(monthlyShareInPence({ amount: 100, quantity: 1 }, 'month', 24)).toBe(4)
    expect(monthlyShareInPence({ amount: 2499, quantity: 3, discountPercent: 12.5 }, 'month', 1)).toBe(6560)
    expect(monthlyShareInPence({ amount: 2499, quantity: 3, discountPercent: 12.5 }, 'year', 1)).toBe(547)
  })

  test('changes in recurring revenue are classified as new, expansion, contraction or churn', () => {
    expect(november(span('2026-11-15', null, 100))).toEqual({ ...nothing, new: 100, end: 100 })
    expect(november(span('2026-01-01', '2026-11-15', 100), span('2026-11-15', null, 130))).toEqual({
      ...nothing,
      start: 100,
      expansion: 30,
      end: 130,
    })
    expect(november(span('2026-01-01', '2026-11-15', 100), span('2026-11-15', null, 70))).toEqual({
      ...nothing,
      start: 100,
      contraction: -30,
      end: 70,
    })
    expect(november(span('2026-01-01', '2026-11-30', 100))).toEqual({ ...nothing, start: 100, churn: -100 })
    // A span ends on the day before its `until` date.
    expect(november(span('2026-01-01', '2026-12-01', 100))).toEqual({ ...nothing, start: 100, end: 100 })
  })

  test('a customer switching from one product to another counts as one expansion and one contraction', () => {
    const of = [span('2026-01-01', '2026-11-15', 100), span('2026-11-15', null, 130, { product: 2, subscription: 2 })]
    expect(november(...of)).toEqual({ ...nothing, start: 100, expansion: 130, contraction: -100, end: 130 })
  })

  test('monthly recurring revenue equals a recount day by day, in total and by product', () => {
    const at = (n: number) => Temporal.PlainDate.from('2026-01-01').add({ days: n }).toString()
    const one = fc
      .record({
        customer: fc.integer({ min: 1, max: 4 }),
        subscription: fc.integer({ min: 1, max: 9 }),
        product: fc.option(fc.integer({ min: 1, max: 3 })),
        begin: fc.integer({ min: 0, max: 300 }),
        days: fc.option(fc.integer({ min: 1, max: 200 })),
        monthly: fc.integer({ min: 0, max: 10_000 }),
      })
      .map(
        ({ begin, days, ...rest }): RecurringRevenueSpan => ({
          ...rest,
          currency: 'GBP',
          from: at(begin),
          until: days === null ? null : at(begin + days),
        }),
      )
    fc.assert(
      fc.property(fc.array(one, { maxLength: 20 }), (spans) => {
        let last: number | undefined
        for (const { before, after } of listReportMonths('2026-01-01', '2026-12-31', '2026-12-15')) {
          const changes = revenueChangesBetween(spans, before, after)
          const moves = sumRevenueMovements(changes)
          const recount = (day: string) =>
            spans.reduce((n, s) => n + (s.from <= day && !(s.until !== null && s.until <= day) ? s.monthly : 0), 0)
          expect([moves.start, moves.end]).toEqual([recount(before), recount(after)])
          expect(moves.start + moves.new + moves.expansion + moves.contraction + moves.churn).toBe(moves.end)
          if (last !== undefined) expect(moves.start).toBe(last)
          last = moves.end
          // Each figure equals the sum of its rows.
          for (const { value } of REVENUE_MOVEMENTS) {
            const size = filterChangesByMovement(changes, value).reduce(
              (n, c) => n + (value === 'start' ? c.before : value === 'end' ? c.after : c.after - c.before),
              0,
            )
            expect(size).toBe(moves[value])
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  test('the recurring revenue report leaves out future months, and its current month ends today', () => {
    expect(listReportMonths('2026-10-20', '2027-02-01', '2026-11-15')).toEqual([
      { month: '2026-10', before: '2026-09-30', after: '2026-10-31' },
      { month: '2026-11', before: '2026-10-31', after: '2026-11-15' },
    ])
    expect(listReportMonths('2028-02-01', '2028-02-29', '2028-03-01')).toEqual([
      { month: '2028-02', before: '2028-01-31', after: '2028-02-29' },
    ])
  })

  test('the number of months in a report equals the number of months listed', () => {
    const days = ['2016-12-31', '2026-01-01', '2026-10-20', '2026-11-15', '2026-12-01'] as const
    for (const from of days)
      for (const to of days)
        expect(Math.max(0, countReportMonths(from, to, '2026-11-15')), `${from} to ${to}`).toBe(
          listReportMonths(from, to, '2026-11-15').length,
        )
  })
})
