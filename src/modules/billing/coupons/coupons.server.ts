import { problem } from '#kernel/errors.ts'
import { guard } from '#server/engine/guard.ts'
import { feature } from '#server/engine/module.ts'
import { coupon } from '../catalogue/coupon.ts'
import { customer } from '../customers/customer.ts'
import { quote } from '../quotes/quote.ts'
import { INVOICING_PACK } from '../rights.ts'
import { couponRedemption } from './redemption.ts'

/** A coupon can't be retired while a customer has it or an open quote includes it. */
const couponGuard = guard(coupon, {
  retire: async (c, { id, name }) => {
    const uses = await c.find(couponRedemption, { coupon: id, state: ['held', 'reserved'] })
    const onQuote = uses.find((one) => one.state === 'reserved' && one.quote !== null)
    const open = onQuote?.quote == null ? undefined : await c.get(quote, onQuote.quote)
    if (open)
      throw problem.conflict(`“${name}” is on ${open.reference}, which is open. Cancel it first, or wait.`, 'in_use')
    const holders = uses.length ? await c.find(customer, { coupon: id, retired: false }) : []
    const [holder] = holders
    if (holder)
      throw problem.conflict(
        `${holders.length === 1 ? `${holder.companyName ?? holder.email} has` : `${holders.length} customers have`} “${name}”. Remove it there first. To stop giving it to others, set its maximum uses or its last day.`,
        'in_use',
      )
  },
})

export const coupons = feature({
  pack: INVOICING_PACK,
  resources: [couponRedemption],
  guards: [couponGuard],
})
