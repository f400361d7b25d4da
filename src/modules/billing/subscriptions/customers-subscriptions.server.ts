import { problem } from '#kernel/errors.ts'
import type { CustomersQuotes } from '../customers/customer.server.ts'
import { everyWords } from '../lines/sum.ts'
import { LIVE } from './in-use.server.ts'
import { subscription } from './subscription.ts'

/** What else is asked of a customer: nobody is retired who goes on being charged. */
export const withSubscriptions = (of: CustomersQuotes): CustomersQuotes => ({
  ...of,
  mayRetire: async (c, id) => {
    await of.mayRetire(c, id)
    const [live] = await c.find(subscription, { customer: id, status: [...LIVE] })
    if (live)
      throw problem.conflict(
        `This customer has a subscription that is paid ${everyWords(live.interval, live.intervalCount)}. Cancel it first.`,
      )
  },
  mayChangeCurrency: async (c, id) => {
    await of.mayChangeCurrency(c, id)
    const [live] = await c.find(subscription, { customer: id, status: [...LIVE] })
    if (live)
      throw problem.conflict(
        `This customer has a subscription in ${live.currency}. Cancel it before the currency changes.`,
        'in_use',
      )
  },
})
