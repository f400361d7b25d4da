import { describe, expect, test } from 'vitest'
import { type CouponTerms, couponDiscount, couponRejection, coversPlan, describeCoupon } from './coupon-rules.ts'

const now = Temporal.Instant.from('2026-03-01T12:00:00Z')
const base: CouponTerms = { name: 'Spring', percentOff: 10, amountOff: null, currency: 'GBP' }
const PLAN = '/api/financial/plans/1'

describe('a coupon', () => {
  test.each<[string, Partial<CouponTerms>, Omit<Parameters<typeof couponRejection>[1], 'now'>, string | undefined]>([
    ['without limits', {}, { plans: [PLAN], currency: 'GBP' }, undefined],
    ['valid still', { expiresAt: '2026-03-01T12:00:01+00:00' }, {}, undefined],
    ['expired this moment', { expiresAt: '2026-03-01T12:00:00+00:00' }, {}, 'expired on 01/03/2026'],
    ['used up', { maxRedemptions: 3, timesRedeemed: 3 }, {}, 'could be used 3 times'],
    ['used up by this customer', { maxRedemptions: 3, timesRedeemed: 3 }, { redeemed: true }, undefined],
    ['for the plan', { plans: [PLAN] }, { plans: ['/x', PLAN] }, undefined],
    ['for another plan', { plans: [PLAN] }, { plans: ['/x'] }, 'doesn’t apply to any of these plans'],
    ['for a plan, none chosen yet', { plans: [PLAN] }, {}, undefined],
    ['in another currency', { percentOff: null, amountOff: 5, currency: 'EUR' }, { currency: 'GBP' }, 'is in EUR'],
    ['a percentage, in any currency', { currency: 'EUR' }, { currency: 'GBP' }, undefined],
    ['withdrawn', { retired: true }, {}, 'withdrawn'],
  ])('a coupon is accepted, or rejected with the reason: %s', (_, terms, on, words) => {
    const said = couponRejection({ ...base, ...terms }, { now, ...on })
    if (words === undefined) expect(said).toBeUndefined()
    else expect(said).toContain(words)
  })

  test('a coupon covers the plans it names, or all plans', () => {
    expect([coversPlan(base), coversPlan(base, PLAN)]).toEqual([true, true])
    expect([coversPlan({ plans: [PLAN] }), coversPlan({ plans: [PLAN] }, PLAN)]).toEqual([false, true])
  })

  test('a coupon is described in words and converted into a discount', () => {
    expect(describeCoupon(base)).toBe('10% off')
    const amount = { ...base, percentOff: null, amountOff: 2500, duration: 'periods', durationPeriods: 3 }
    expect(describeCoupon(amount)).toBe('£25.00 off for 3 periods')
    expect(couponDiscount(base)).toEqual({ percentOff: 10 })
    expect(couponDiscount(amount)).toEqual({ amountOff: 2500, currency: 'GBP' })
  })
})
