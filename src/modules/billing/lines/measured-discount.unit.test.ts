import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import { isDiscountAboveLimit } from '../emails/settings.ts'
import { measureDiscount, type QuoteTotalsLine } from './line.ts'

const line = fc.record({
  quantity: fc.integer({ min: 1, max: 500 }),
  unitAmount: fc.integer({ min: 0, max: 9_999_999 }).map((n) => n / 100),
})
const off = (more: Partial<CouponTerms>): CouponTerms => ({ percentOff: 10, amountOff: null, currency: null, ...more })

describe('the discount measured for approval', () => {
  const half = off({ percentOff: 50, duration: 'forever' })
  const plans: QuoteTotalsLine = { quantity: 50, unitAmount: 2900, interval: 'month', plan: '/api/financial/plans/1' }
  const setUp: QuoteTotalsLine = { quantity: 1, unitAmount: 200_000, discountable: false }
  const visit: QuoteTotalsLine = { quantity: 1, unitAmount: 10_000 }
  const measure = (lines: readonly QuoteTotalsLine[], coupon: CouponTerms | null = null) =>
    measureDiscount({ currency: 'GBP', lines, coupon })
  const isAbove = (measured: ReturnType<typeof measure>, discountLimitPercent = 25, discountLimitAmount = 1e9) =>
    isDiscountAboveLimit(measured, { discountLimitPercent, discountLimitAmount })

  test.each([
    ['every payment of a monthly plan', [plans, setUp], half, 870_000, 1_740_000],
    ['the first of twelve payments', [plans], off({ percentOff: 50 }), 72_500, 145_000],
    [
      'three of twelve payments',
      [plans],
      off({ percentOff: 50, duration: 'periods', durationPeriods: 3 }),
      217_500,
      435_000,
    ],
    [
      'more payments than a year has',
      [plans],
      off({ percentOff: 50, duration: 'periods', durationPeriods: 36 }),
      870_000,
      1_740_000,
    ],
    ['a quarterly plan', [{ ...plans, intervalCount: 3 }], half, 290_000, 580_000],
    ['a plan of two years', [{ ...plans, interval: 'year', intervalCount: 2 }], half, 72_500, 145_000],
    ['a one-off line', [visit, setUp], half, 5000, 10_000],
    ['a line discount of a plan', [{ ...plans, discountPercent: 10 }, visit], null, 174_000, 1_740_000],
    [
      'a fixed amount off every payment',
      [plans],
      off({ percentOff: null, amountOff: 10_000, currency: 'GBP', duration: 'forever' }),
      120_000,
      1_740_000,
    ],
    [
      'a fixed amount off one payment',
      [plans],
      off({ percentOff: null, amountOff: 10_000, currency: 'GBP' }),
      10_000,
      145_000,
    ],
    ['no discount', [plans, visit], null, 0, 0],
  ] as const)('%s is measured over a year, on the discounted lines only', (_, of, coupon, discount, subtotal) => {
    expect(measure(of, coupon)).toMatchObject({ discount, subtotal })
  })

  test('a discount of 50% measures the same whatever other lines, payments or small discounts the quote has', () =>
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.integer({ min: 0, max: 3 }), (others, percent) => {
        const around = others.map((one) => ({
          ...one,
          discountPercent: percent,
          plan: undefined,
          discountable: false,
        }))
        for (const [of, coupon] of [
          [[plans, ...around], half],
          [[...around, plans], off({ percentOff: 50 })],
          [[...around, { ...plans, discountPercent: 50 }], null],
        ] as const)
          expect(isAbove(measure(of, coupon), 49)).toBe(true)
      }),
    ))

  test('a discount at the limit, rounded up to the penny, needs no approval', () => {
    const odd: QuoteTotalsLine = { quantity: 1, unitAmount: 999, discountPercent: 25 }
    expect(isAbove(measure([odd]))).toBe(false)
    expect(isAbove(measure([{ ...odd, discountPercent: 26 }]))).toBe(true)
    expect(isAbove(measure([{ ...odd, unitAmount: 1, discountPercent: 100 }]), 0)).toBe(true)
    expect(isAbove(measure([odd]), 25, 250)).toBe(false)
    expect(isAbove(measure([odd]), 25, 249)).toBe(true)
  })

  test('free time before billing starts counts as a discount at its daily price', () => {
    const yearly: QuoteTotalsLine = { quantity: 10, unitAmount: 29_900, interval: 'year' }
    const starting = (day: string, line = plans, prorate = false) => {
      const billingCycleAnchor = Date.parse(`${day}T12:00:00Z`) / 1000
      const start = { today: '2026-01-15', billingCycleAnchor, prorate }
      return measureDiscount({ currency: 'GBP', lines: [line, visit], start })
    }
    // 334, 7 and 28 of the 365/12 days of an average month, and 364 of the 365 days of a year.
    expect(starting('2026-12-15')).toMatchObject({ discount: 1_592_219, subtotal: 1_592_219, isRecurring: true })
    expect(isAbove(starting('2026-12-15'))).toBe(true)
    expect(starting('2026-01-22')).toMatchObject({ discount: 33_370, isRecurring: false })
    expect(isAbove(starting('2026-01-22'))).toBe(false)
    expect(isAbove(starting('2026-02-12'), 25, 200_000)).toBe(false)
    expect(isAbove(starting('2026-02-12'), 25, 100_000)).toBe(true)
    expect(isAbove(starting('2026-02-16'), 25, 200_000)).toBe(true)
    expect(starting('2027-01-14', yearly)).toMatchObject({ discount: 298_181, lines: [{ off: 298_181 }] })
    expect(isAbove(starting('2027-01-14', yearly))).toBe(true)
    expect(starting('2026-12-15', plans, true)).toMatchObject({ discount: 0, lines: [] })
    expect(starting('2026-01-15')).toMatchObject({ discount: 0, lines: [] })
  })

  test("line discounts and the quote's own discount are measured together", () => {
    expect(isAbove(measure([{ ...plans, discountPercent: 8 }], off({ percentOff: 20 })))).toBe(true)
    expect(isAbove(measure([{ ...plans, discountPercent: 5 }], off({ percentOff: 20 })))).toBe(false)
  })
})
