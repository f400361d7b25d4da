import type { RowOf } from '#kernel/resource.ts'
import type { Work } from '#server/data/work.ts'
import type { coupon } from '../catalogue/coupon.ts'
import { termsOf } from '../catalogue/redeem.server.ts'
import { type Lines, sumOf } from '../lines/lines.server.ts'

type Values = Record<string, unknown>

/** What the record keeps of its totals. */
export function summed(whole: Values, lines: Lines, terms: RowOf<typeof coupon> | null): Values {
  const totals = sumOf(whole as { currency: unknown; taxPercent: unknown }, lines, terms)
  if (!totals) return {}
  const { lines: _, ...sum } = totals
  return { total: sum.gross, totals: sum, couponTerms: terms && termsOf(terms) }
}

/** Is the coupon the customer's own? Then it was counted when they got it. */
export async function isOwnCoupon(
  { tx, clientId }: Pick<Work, 'tx' | 'clientId'>,
  customer: unknown,
  coupon: number,
): Promise<boolean> {
  const [row] = await tx.rows<{ own: boolean }>(
    'SELECT coupon_id = $3::bigint AS own FROM customer WHERE client_id = $1 AND id = $2',
    [clientId, customer, coupon],
  )
  return row?.own === true
}
