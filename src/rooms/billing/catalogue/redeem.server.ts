import { problem, violation } from '#kernel/errors.ts'
import type { Context } from '#server/behaviour.ts'
import { coupon } from './coupon.ts'
import { type CouponTerms, whyNot } from './coupon-rules.ts'

/**
 * Counts one use of a coupon, in the request's transaction and under a lock on the coupon. Throws 422 on the field `field`
 * with the sentence of `whyNot` when it can't be used (any more). Give `plans` and `currency` where they are known.
 */
export async function redeem(
  { work, now }: Pick<Context, 'work' | 'now'>,
  id: number,
  on: { plans?: readonly string[]; currency?: string; field?: string } = {},
): Promise<CouponTerms> {
  const terms = await couponTerms({ work }, id, true)
  if (!terms) throw problem.unknownTarget(`${coupon.url}/${id}`)
  const refused = whyNot(terms, { now, ...on })
  if (refused) throw problem.invalid([violation(on.field ?? 'coupon', refused)])
  const used = terms.timesRedeemed ?? 0
  work.update(coupon, { id, clientId: work.clientId, timesRedeemed: used }, { timesRedeemed: used + 1 })
  return terms
}

/** A coupon's terms as they are now; with `lock`, nobody changes or uses it before this transaction ends. */
export async function couponTerms(
  { work }: Pick<Context, 'work'>,
  id: number,
  lock = false,
): Promise<(CouponTerms & { id: number }) | undefined> {
  const [row] = await work.tx.rows<CouponTerms & { id: number }>(
    `SELECT id, name, percent_off AS "percentOff", amount_off AS "amountOff", currency, duration, duration_periods AS "durationPeriods", plans,
            max_redemptions AS "maxRedemptions", times_redeemed AS "timesRedeemed", to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "expiresAt", retired
     FROM coupon WHERE client_id = $1 AND id = $2${lock ? ' FOR UPDATE' : ''}`,
    [work.clientId, id],
  )
  return row
}
