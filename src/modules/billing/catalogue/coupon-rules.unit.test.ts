import { describe, expect, test } from 'vitest'
import {
  type CouponTerms,
  couponCoversPlan,
  couponDiscount,
  describeCoupon,
  findCouponRejectionReason,
} from './coupon-rules.ts'

const now = Temporal.Instant.from('2026-03-01T12:00:00Z')
const base: CouponTerms = { name: 'Spring', percentOff: 10, amountOff: null, currency: 'GBP' }
const PLAN = '/api/financial/plans/1'

describe('coupon rules', () => {
  test.each<
    [string, Partial<CouponTerms>, Omit<Parameters<typeof findCouponRejectionReason>[1], 'now'>, string | undefined]
  >([
    ['no limits, so accepted', {}, { plans: [PLAN], currency: 'GBP' }, undefined],
    ['not expired yet, so accepted', { expiresAt: '2026-03-01T12:00:01+00:00' }, {}, undefined],
    [
      'expiring at this very moment, so rejected',
      { expiresAt: '2026-03-01T12:00:00+00:00' },
      {},
      'expired on 01/03/2026',
    ],
    ['used up by other customers, so rejected', { maxRedemptions: 3, timesRedeemed: 3 }, {}, 'could be used 3 times'],
    [
      'used up, but already redeemed by this customer, so accepted',
      { maxRedemptions: 3, timesRedeemed: 3 },
      { redeemed: true },
      undefined,
    ],
    ['limited to one of the chosen plans, so accepted', { plans: [PLAN] }, { plans: ['/x', PLAN] }, undefined],
    [
      'limited to another plan, so rejected',
      { plans: [PLAN] },
      { plans: ['/x'] },
      'doesn’t apply to any of these plans',
    ],
    ['limited to a plan before any plan is chosen, so accepted', { plans: [PLAN] }, {}, undefined],
    [
      'a fixed amount in another currency, so rejected',
      { percentOff: null, amountOff: 5, currency: 'EUR' },
      { currency: 'GBP' },
      'is in EUR',
    ],
    ['a percentage in any currency, so accepted', { currency: 'EUR' }, { currency: 'GBP' }, undefined],
    ['withdrawn', { retired: true }, {}, 'withdrawn'],
  ])('the coupon rules accept a coupon or give the reason for rejecting it: %s', (_, terms, on, words) => {
    const said = findCouponRejectionReason({ ...base, ...terms }, { now, ...on })
    if (words === undefined) expect(said).toBeUndefined()
    else expect(said).toContain(words)
  })

  test('a coupon covers only the plans it lists, or all plans if it lists none', () => {
    expect([couponCoversPlan(base), couponCoversPlan(base, PLAN)]).toEqual([true, true])
    expect([couponCoversPlan({ plans: [PLAN] }), couponCoversPlan({ plans: [PLAN] }, PLAN)]).toEqual([false, true])
  })

  test("a coupon's terms are described in words and converted into a discount", () => {
    expect(describeCoupon(base)).toBe('10% off')
    const amount = { ...base, percentOff: null, amountOff: 2500, duration: 'periods', durationPeriods: 3 }
    expect(describeCoupon(amount)).toBe('£25.00 off for 3 periods')
    expect(couponDiscount(base)).toEqual({ percentOff: 10 })
    expect(couponDiscount(amount)).toEqual({ amountOff: 2500, currency: 'GBP' })
  })
})
