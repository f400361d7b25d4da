import { Problem, problem } from '#kernel/errors.ts'
import { iriOf } from '#kernel/resource.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { type Route, RouteAnswer } from '#server/engine/route.ts'
import { routeWith } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { SELLING_ROLES } from '../rights.ts'
import { applySubscriptionChange, requireCreditPermission } from './apply.server.ts'
import type { SubscriptionRow } from './facts.server.ts'
import { planSubscriptionChange, type SubscriptionChangeInput } from './planned.server.ts'
import { calculateChangeAmounts, changePreviewToken } from './reckoned.server.ts'
import { SUBSCRIPTION_CHANGE_INPUT, subscription } from './subscription.ts'

const look = async (c: Context, row: SubscriptionRow, asked: SubscriptionChangeInput) => {
  const planned = await planSubscriptionChange(c, row, asked)
  const reckoned = await calculateChangeAmounts(c, row, planned)
  return { planned, reckoned, token: changePreviewToken(row, asked, planned, reckoned) }
}

const OUTDATED =
  'The price or the subscription has changed since your preview, so nothing was saved. Check the new preview and confirm again.'

/** An action that was possible in the preview and no longer is was overtaken by another change. */
function outdated(e: unknown): never {
  if (e instanceof Problem && e.status === 422) throw problem.conflict(`${e.message} ${OUTDATED}`, 'preview_outdated')
  throw e
}

export const subscriptionBehaviour = behaviour(subscription, {
  actions: {
    change: async (c) => {
      const { row, input } = c
      const { token: seen, ...asked } = input
      const { planned, reckoned, token } = await look(c, row, asked).catch(outdated)
      requireCreditPermission(c, reckoned)
      if (seen !== token) throw problem.conflict(OUTDATED, 'preview_outdated')
      return { set: await applySubscriptionChange(c, row, planned, reckoned) }
    },
    cancel: async (c) => {
      const { planned, reckoned } = await look(c, c.row, { way: 'cancelNow', credit: false })
      return { set: await applySubscriptionChange(c, c.row, planned, reckoned) }
    },
  },
})

/** `POST subscriptions/{id}/preview`: amounts of a change, line by line, and the token that `change` takes. */
export const subscriptionPreviewRoute = routeWith(SUBSCRIPTION_CHANGE_INPUT, {
  method: 'POST',
  path: `${subscription.url}/{id}/preview`,
  title: 'Preview the amounts of a subscription change; `change` takes its token',
  allow: SELLING_ROLES,
  refuses: [409, 422],
  of: subscription,
  handle: async (c) => {
    const id = await c.engine.idOf(subscription, c.actor, c.params.id)
    return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
      const row = await unit.lock(subscription, id)
      const { planned, reckoned, token } = await look(unit, row, c.input)
      const { lines, net, tax, invoiced, credited, gross } = reckoned
      return () => ({
        '@id': `${iriOf(subscription, id)}/preview`,
        '@type': 'SubscriptionPreview',
        sentence: planned.sentence,
        currency: row.currency,
        lines,
        net,
        tax,
        gross,
        invoiced,
        credited,
        needsFinance: net < 0,
        items: planned.before.length,
        token,
      })
    })
  },
})

/** `DELETE subscriptions/{id}`: cancels it now. It stays readable and can't be cancelled again. */
export const cancelSubscriptionRoute: Route = {
  method: 'DELETE',
  path: `${subscription.url}/{id}`,
  title: 'Cancel a subscription now; it stays readable',
  allow: SELLING_ROLES,
  refuses: [409],
  handle: async (c) => {
    const id = await c.engine.idOf(subscription, c.actor, c.params.id)
    const gone = () => new RouteAnswer(204)
    return c.engine.inTenant(c.me.clientId, { ...c.change(gone), resource: subscription, id }, async (unit) => {
      await unit.act(subscription, 'cancel', id, {})
      return gone
    })
  },
}
