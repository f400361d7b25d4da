import { problem } from '#kernel/errors.ts'
import { guard } from '#server/engine/guard.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { plan, product } from '../catalogue/plan.ts'
import { customer } from '../customers/customer.ts'
import { describeInterval } from '../lines/sum.ts'
import { INVOICING_PACK } from '../rights.ts'
import {
  billingRun,
  billingRunBehaviour,
  subscriptionHandlers,
  subscriptionRoutes,
  subscriptionSchedules,
} from './routes.server.ts'
import { billingRunRecord } from './run.ts'
import { subscriptionBehaviour } from './subscription.server.ts'
import { subscription, subscriptionChange, subscriptionItem } from './subscription.ts'
import type { RecurringItem } from './timeline.ts'

/** All statuses except cancelled. */
const LIVE_STATUSES = ['trialing', 'active', 'past_due', 'paused'] as const

/**
 * Number of live subscriptions that use a plan or product. Items that a paused subscription will resume with count too.
 */
async function countUsers(c: Context, by: 'plan' | 'product', id: number): Promise<number> {
  const items = await c.find(subscriptionItem, by === 'plan' ? { plan: id, until: null } : { product: id, until: null })
  const live = await c.find(subscription, { id: items.map((one) => one.subscription), status: [...LIVE_STATUSES] })
  const paused = await c.find(subscription, { status: 'paused' })
  const had = paused.filter(({ pausedItems }) => pausedItems?.some((item: RecurringItem) => item[by] === id))
  return new Set([...live, ...had].map((one) => one.id)).size
}

const assertNotSold =
  (by: 'plan' | 'product') =>
  async (c: Context, { id, name }: { readonly id: number; readonly name: string }): Promise<void> => {
    const users = await countUsers(c, by, id)
    if (users)
      throw problem.conflict(
        `“${name}” is used by ${users} ${users === 1 ? 'subscription' : 'subscriptions'}. Switch or remove it there first. To stop selling it, take its product off sale.`,
        'in_use',
      )
  }

const liveOf = async (c: Context, customerId: number) =>
  (await c.find(subscription, { customer: customerId, status: [...LIVE_STATUSES] }))[0]

const subscriptionGuards = [
  guard(plan, { retire: assertNotSold('plan') }),
  guard(product, { retire: assertNotSold('product') }),
  guard(customer, {
    retire: async (c, { id }) => {
      const live = await liveOf(c, id)
      if (live)
        throw problem.conflict(
          `This customer has a subscription billed ${describeInterval(live.interval, live.intervalCount)}. Cancel it first.`,
        )
    },
    change: {
      currency: async (c, { id }) => {
        const live = await liveOf(c, id)
        if (live)
          throw problem.conflict(
            `This customer has a subscription in ${live.currency}. Cancel it before the currency changes.`,
            'in_use',
          )
      },
    },
  }),
]

export const subscriptions = feature({
  pack: INVOICING_PACK,
  resources: [subscription, subscriptionItem, subscriptionChange, billingRunRecord],
  behaviours: [subscriptionBehaviour, billingRunBehaviour],
  guards: subscriptionGuards,
  routes: subscriptionRoutes,
  handlers: subscriptionHandlers,
  schedules: subscriptionSchedules,
  batchJobs: [billingRun],
  seeds: () => import('./demo.server.ts'),
})
