import { problem } from '#kernel/errors.ts'
import type { CustomersQuotes } from '../customers/customer.server.ts'
import { quote } from './quote.ts'
import { giveCoupon, takeCoupon } from './redemption.server.ts'
import { statusOf } from './status.ts'

/** What quotes and coupons say to a change of their customer. */
export const customersQuotes: CustomersQuotes = {
  giveCoupon,
  takeCoupon,
  mayRetire: async (c, id) => {
    const [open] = await c.find(quote, { customer: id, status: statusOf('open') })
    if (open) throw problem.conflict(`${open.reference} is still open for this customer. Cancel it first.`)
  },
  mayChangeCurrency: async (c, id) => {
    const [open] = await c.find(quote, { customer: id, status: statusOf('open') })
    if (open)
      throw problem.conflict(
        `${open.reference} is open in ${open.currency} for this customer. Cancel it before the currency changes.`,
        'in_use',
      )
  },
}
