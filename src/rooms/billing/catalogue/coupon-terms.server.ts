import type { RowOf } from '#kernel/resource.ts'
import type { Context } from '#server/engine/context.ts'
import { coupon } from './coupon.ts'
import type { CouponTerms } from './coupon-rules.ts'

/** A coupon as it is now. */
export const couponTerms = (c: Pick<Context, 'get'>, id: number): Promise<RowOf<typeof coupon> | undefined> =>
  c.get(coupon, id)

/** A coupon's terms, as a quote keeps them. */
export function termsOf(row: RowOf<typeof coupon>): CouponTerms {
  const { id: _id, clientId: _clientId, createdAt: _createdAt, ...terms } = row
  return terms
}
