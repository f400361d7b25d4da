import { problem, violation } from '#kernel/errors.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import type { Context } from '#server/engine/context.ts'
import { coupon } from './coupon.ts'
import { type CouponTerms, whyNot } from './coupon-rules.ts'

/** Counts one use of a coupon. Throws 422 with the sentence of `whyNot` when it can't be used (any more). */
export async function redeem(c: Context, id: number): Promise<void> {
  const [row] = await c.lockAll(coupon, { id })
  if (!row) throw problem.unknownTarget(iriOf(coupon, id))
  const refused = whyNot(row, { now: c.now })
  if (refused) throw problem.invalid([violation('coupon', refused)])
  await countUse(c, row)
}

/** A coupon as it is now; with `lock`, nobody changes or uses it before this transaction ends. */
export const couponTerms = async (
  c: Pick<Context, 'get' | 'lockAll'>,
  id: number,
  lock = false,
): Promise<RowOf<typeof coupon> | undefined> => (lock ? (await c.lockAll(coupon, { id }))[0] : c.get(coupon, id))

/** A coupon's terms, as a quote keeps them. */
export function termsOf(row: RowOf<typeof coupon>): CouponTerms {
  const { id: _id, clientId: _clientId, createdAt: _createdAt, ...terms } = row
  return terms
}

/** One use more of a coupon that this transaction has locked. */
export const countUse = (c: Pick<Context, 'set'>, row: RowOf<typeof coupon>) =>
  c.set(coupon, row, { timesRedeemed: row.timesRedeemed + 1 }, 'redeem')
