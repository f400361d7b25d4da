import { londonDate } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { type Route, RouteAnswer } from '#server/engine/route.ts'
import { subListRoute } from '#server/http/list-route.ts'
import { resumeBatchJob, startBatchJob, stopBatchJob } from '#server/jobs/batch-job-control.ts'
import { customer } from '../customers/customer.ts'
import { FINANCE_ROLES, SELLING_ROLES } from '../rights.ts'
import { billingRun, DUE_SUBSCRIPTIONS_SQL } from './jobs.server.ts'
import { billingRunRecord } from './run.ts'
import { cancelSubscriptionRoute, subscriptionPreviewRoute } from './subscription.server.ts'
import { subscription } from './subscription.ts'

export const billingRunBehaviour = behaviour(billingRunRecord, {
  actions: {
    stop: async (c) => {
      await stopBatchJob(c, c.row.id)
      return {}
    },
    resume: async (c) => {
      await resumeBatchJob(c, billingRun, c.row.id)
      return {}
    },
  },
})

export const subscriptionRoutes: readonly Route[] = [
  subListRoute({
    path: `${customer.url}/{id}/subscriptions`,
    title: 'List the subscriptions of a customer, newest first',
    of: customer,
    r: subscription,
    where: (id) => `t.customer_id = ${id}`,
    allow: SELLING_ROLES,
  }),
  subscriptionPreviewRoute,
  cancelSubscriptionRoute,
  {
    method: 'GET',
    path: `${billingRunRecord.url}/due`,
    title: 'Get what a billing run would invoice today',
    allow: SELLING_ROLES,
    handle: async ({ engine, me, now }) => {
      const day = londonDate(now).toString()
      const [due] = await engine.db.tx('system', (tx) =>
        tx.rows<{ customers: number; subscriptions: number; ending: number }>(
          `SELECT count(DISTINCT t.customer_id)::int AS customers, count(*)::int AS subscriptions,
             (count(*) FILTER (WHERE t.cancel_at_period_end))::int AS ending FROM subscription t WHERE ${DUE_SUBSCRIPTIONS_SQL}`,
          [me.clientId, day],
        ),
      )
      return { day, customers: due?.customers ?? 0, subscriptions: due?.subscriptions ?? 0, ending: due?.ending ?? 0 }
    },
  },
  {
    method: 'POST',
    path: billingRunRecord.url,
    title: 'Start a billing run',
    allow: FINANCE_ROLES,
    refuses: [409],
    handle: (c) =>
      c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
        const id = await startBatchJob(unit, billingRun, { day: londonDate(c.now).toString() })
        return async () => {
          const made = await c.engine.one(billingRunRecord, c.me, id)
          return new RouteAnswer(202, made, { location: made['@id'] })
        }
      }),
  },
]
