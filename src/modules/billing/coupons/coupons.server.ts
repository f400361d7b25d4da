import { problem, violation } from '#kernel/errors.ts'
import { choice, flag, instant, link } from '#kernel/fields.ts'
import { iriOf, type RowOf, resource } from '#kernel/resource.ts'
import { guard } from '#server/engine/guard.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { coupon } from '../catalogue/coupon.ts'
import { findCouponRejectionReason } from '../catalogue/coupon-rules.ts'
import { customer } from '../customers/customer.ts'
import { quote } from '../quotes/quote.ts'
import { INVOICING_PACK, SELLING_ROLES } from '../rights.ts'

/**
 * One use of a coupon, held by a customer or reserved by a sent quote. The state becomes `used` when the quote is
 * accepted. If the quote is declined, cancelled or expired, the use is released, unless the coupon is still assigned to
 * the customer.
 */
const couponRedemption = resource({
  type: 'CouponRedemption',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'coupon_redemptions',
  table: 'coupon_redemption',
  tenant: 'own',
  order: ['-id'],
  fields: {
    coupon: link(() => coupon, { readonly: true, notNull: true, filter: true, embed: ['name'] }),
    customer: link(() => customer, { readonly: true, notNull: true, filter: true, embed: ['companyName'] }),
    quote: link(() => quote, { readonly: true, filter: true, embed: ['reference'] }),
    state: choice(['held', 'reserved', 'used', 'released'], { readonly: true, notNull: true, filter: true }),
    /** True if the coupon is assigned to the customer and applies to all their purchases within its terms. */
    own: flag({ readonly: true, filter: true, label: 'Assigned to the customer' }),
    createdAt: instant({ readonly: true, notNull: true, order: true }),
  },
  allow: { read: SELLING_ROLES },
})

/** A coupon can't be retired while it is assigned to a customer or included in an open quote. */
const couponGuard = guard(coupon, {
  retire: async (c, { id, name }) => {
    const uses = await c.find(couponRedemption, { coupon: id, state: ['held', 'reserved'] })
    const onQuote = uses.find((one) => one.state === 'reserved' && one.quote !== null)
    const open = onQuote?.quote == null ? undefined : await c.get(quote, onQuote.quote)
    if (open)
      throw problem.conflict(
        `“${name}” is used on ${open.reference}, which is still open. Cancel that quote first, or wait until it is no longer open.`,
        'in_use',
      )
    const holders = uses.length ? await c.find(customer, { coupon: id, retired: false }) : []
    const [holder] = holders
    if (holder)
      throw problem.conflict(
        `${holders.length === 1 ? `${holder.companyName ?? holder.email} has` : `${holders.length} customers have`} “${name}”. First remove the coupon from each customer. To stop other customers using it, change “Maximum uses” or “Valid until”.`,
        'in_use',
      )
  },
})

export const coupons = feature({
  pack: INVOICING_PACK,
  resources: [couponRedemption],
  guards: [couponGuard],
})

type Coupon = RowOf<typeof coupon>
type Redemption = RowOf<typeof couponRedemption>

/** Intended use of a coupon. `quote` is missing until the quote has been created. */
interface Use {
  readonly customer: number
  readonly quote?: number | undefined
  /** IRIs of plans. */
  readonly plans?: readonly string[]
  readonly currency?: string
}

const lockCoupon = async (c: Context, id: number): Promise<Coupon> => {
  const [row] = await c.lockAll(coupon, { id })
  if (!row) throw problem.unknownTarget(iriOf(coupon, id))
  return row
}

const ownOf = async (c: Context, customerId: number, couponId: number): Promise<Redemption | undefined> =>
  (await c.find(couponRedemption, { customer: customerId, coupon: couponId, own: true })).find(
    (r) => r.state !== 'released',
  )

/** Increases or decreases the use count of a coupon that this transaction has locked. */
const count = (c: Context, row: Coupon, more: 1 | -1) =>
  c.set(coupon, row, { timesRedeemed: Math.max(0, row.timesRedeemed + more) }, 'redeem')

const enter = (
  c: Context,
  values: { coupon: number; customer: number; quote?: number; state: 'held' | 'reserved'; own: boolean },
) => c.withoutPermissionCheck('record a use of a coupon').create(couponRedemption, values)

const move = (c: Context, row: Redemption, set: { state: Redemption['state']; quote?: number | null }) =>
  c.set(couponRedemption, row, set, 'redeem')

/** Returns a sentence that says why the coupon can't be used here, or `undefined` if it can. */
export async function findCouponRedemptionRejectionReason(
  c: Context,
  terms: Coupon,
  use: Use,
): Promise<string | undefined> {
  const own = await ownOf(c, use.customer, terms.id)
  const refused = findCouponRejectionReason(terms, { now: c.now, redeemed: own !== undefined, ...use })
  if (refused || !own || terms.duration !== 'once') return refused
  if (own.state === 'used') return `${called(terms)} has already been used by this customer. Choose another coupon.`
  if (own.state !== 'reserved' || own.quote === null || own.quote === use.quote) return undefined
  const other = await c.get(quote, own.quote)
  return `${called(terms)} can be used only once by this customer and is already on quote ${other?.reference ?? ''}. Choose another coupon, or cancel that quote.`
}
const called = ({ name }: Coupon) => `The coupon “${name}”`

/**
 * Assigns a coupon to a customer and increases its use count, unless the customer already had the coupon. Throws 422 if
 * the coupon can't be used.
 */
export async function assignCoupon(
  c: Context,
  to: { readonly id: number; readonly currency: string },
  couponId: number,
): Promise<void> {
  const row = await lockCoupon(c, couponId)
  if (await ownOf(c, to.id, couponId)) return
  const refused = findCouponRejectionReason(row, { now: c.now, currency: to.currency })
  if (refused) throw problem.invalid([violation('coupon', refused)])
  await enter(c, { coupon: couponId, customer: to.id, state: 'held', own: true })
  await count(c, row, 1)
}

/**
 * Releases a coupon that is assigned to a customer, so that its use becomes available again. Does nothing if the coupon
 * is used or is reserved by a quote.
 */
export async function removeCoupon(c: Context, customerId: number, couponId: number): Promise<void> {
  const row = await lockCoupon(c, couponId)
  const own = await ownOf(c, customerId, couponId)
  if (own?.state !== 'held') return
  await move(c, own, { state: 'released' })
  await count(c, row, -1)
}

interface Discounted {
  readonly id: number
  readonly customer: number
  readonly coupon: number | null
}

/**
 * Reserves the coupon for a sent quote until the quote is decided. The coupon stays locked. Nothing is reserved if the
 * customer holds the coupon for more than one use. Throws 422 with the reason if the coupon can't be used any more.
 */
export async function reserveCoupon(c: Context, q: Discounted, use: Omit<Use, 'customer' | 'quote'>): Promise<void> {
  if (q.coupon === null) return
  const row = await lockCoupon(c, q.coupon)
  const refused = await findCouponRedemptionRejectionReason(c, row, { ...use, customer: q.customer, quote: q.id })
  if (refused) throw problem.invalid([violation('coupon', refused)])
  const own = await ownOf(c, q.customer, row.id)
  if (own) {
    if (row.duration === 'once') await move(c, own, { state: 'reserved', quote: q.id })
    return
  }
  await enter(c, { coupon: row.id, customer: q.customer, quote: q.id, state: 'reserved', own: false })
  await count(c, row, 1)
}

/** Marks the coupon of an accepted quote as used, and removes a one-off coupon from its customer. */
export async function redeemCoupon(c: Context, q: Discounted): Promise<void> {
  if (q.coupon === null) return
  const row = await lockCoupon(c, q.coupon)
  const own = await ownOf(c, q.customer, row.id)
  const reserved = own ?? (await reservedFor(c, q))
  if (reserved && reserved.state !== 'used') await move(c, reserved, { state: 'used', quote: q.id })
  if (!own || row.duration !== 'once') return
  const buyer = await c.lock(customer, q.customer)
  if (buyer.coupon === row.id)
    await c.withoutPermissionCheck('mark a one-off coupon as used').change(customer, buyer, { coupon: null })
}

/**
 * Releases the coupon of a declined, cancelled or expired quote. A coupon that is still assigned to the customer stays
 * with the customer; any other becomes available for general use again.
 */
export async function releaseCoupon(c: Context, q: Discounted): Promise<void> {
  if (q.coupon === null) return
  const row = await lockCoupon(c, q.coupon)
  const reserved = await reservedFor(c, q)
  if (!reserved) return
  const buyer = reserved.own ? await c.get(customer, q.customer) : undefined
  if (buyer?.coupon === row.id) return void (await move(c, reserved, { state: 'held', quote: null }))
  await move(c, reserved, { state: 'released' })
  await count(c, row, -1)
}

const reservedFor = async (c: Context, q: Discounted): Promise<Redemption | undefined> =>
  (await c.find(couponRedemption, { quote: q.id, state: 'reserved' }))[0]
