import { choice, flag, instant, link } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { coupon } from '../catalogue/coupon.ts'
import { customer } from '../customers/customer.ts'
import { quote } from '../quotes/quote.ts'
import { INVOICING_PACK, SELLING_ROLES } from '../rights.ts'

/**
 * One use of a coupon: assigned to a customer, reserved by a sent quote, used on acceptance. Released if the quote is
 * declined, cancelled or expired.
 */
export const couponRedemption = resource({
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
    /** Assigned to the customer, and applied to all their purchases within its terms. */
    own: flag({ readonly: true, filter: true, label: 'Assigned to the customer' }),
    createdAt: instant({ readonly: true, notNull: true, order: true }),
  },
  allow: { read: SELLING_ROLES },
})
