import { problem } from '#kernel/errors.ts'
import type { Context } from '#server/engine/types.ts'
import type { CatalogueUse } from '../catalogue/catalogue.server.ts'
import { subscription, subscriptionItem } from './subscription.ts'
import type { Item } from './timeline.ts'

/** What goes on, or may: all but those that are cancelled. */
export const LIVE = ['trialing', 'active', 'past_due', 'paused'] as const

/** How many live subscriptions are paid by it, those that are paused included: they come back with what they had. */
async function usersOf(c: Context, by: 'plan' | 'product', id: number): Promise<number> {
  const items = await c.find(subscriptionItem, by === 'plan' ? { plan: id, until: null } : { product: id, until: null })
  const live = await c.find(subscription, { id: items.map((one) => one.subscription), status: [...LIVE] })
  const paused = await c.find(subscription, { status: 'paused' })
  const had = paused.filter(({ pausedItems }) => pausedItems?.some((item: Item) => item[by] === id))
  return new Set([...live, ...had].map((one) => one.id)).size
}

/** Throws 409 for a plan or a product that subscriptions are paid by. */
export const soldInSubscriptions: Pick<CatalogueUse, 'mayRetireSold'> = {
  mayRetireSold: async (c, by, { id, name }) => {
    const users = await usersOf(c, by, id)
    if (users)
      throw problem.conflict(
        `${users} ${users === 1 ? 'subscription is' : 'subscriptions are'} paid by “${name}”. Exchange or remove it there first. Where it is only not to be sold any more, take its product off sale.`,
        'in_use',
      )
  },
}
