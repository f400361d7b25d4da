import { problem } from '#kernel/errors.ts'
import type { CustomersQuotes } from '../customers/customer.server.ts'
import { everyWords } from '../lines/sum.ts'
import { subscription } from './subscription.ts'

/** What else is asked of a customer: nobody is retired who goes on being charged. */
export const withSubscriptions = (of: CustomersQuotes): CustomersQuotes => ({
  ...of,
  mayRetire: async (c, id) => {
    await of.mayRetire(c, id)
    const status = ['trialing', 'active', 'past_due', 'paused'] as const
    const [live] = await c.find(subscription, { customer: id, status: [...status] })
    if (live)
      throw problem.conflict(
        `This customer has a subscription that is paid ${everyWords(live.interval, live.intervalCount)}. Cancel it first.`,
      )
  },
})
