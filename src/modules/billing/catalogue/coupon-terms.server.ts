import type { RowOf } from '#kernel/resource.ts'
import type { coupon } from './coupon.ts'
import type { CouponTerms } from './coupon-rules.ts'

/** A coupon's terms, as a quote keeps them. */
export function termsOf(row: RowOf<typeof coupon>): CouponTerms {
  const { id: _id, clientId: _clientId, createdAt: _createdAt, ...terms } = row
  return terms
}
