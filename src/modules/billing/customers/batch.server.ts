import { flag } from '#kernel/fields.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { type Route, RouteAnswer } from '#server/engine/route.ts'
import { routeWith } from '#server/engine/route-input.ts'
import type { Engine } from '#server/engine/types.ts'
import { resumeBatchJob, startBatchJob, stopBatchJob } from '#server/jobs/batch-job-control.ts'
import { BILLING_ADMIN_ROLE } from '../rights.ts'
import { customerBatch } from './batch.ts'
import { customerRun, WITHOUT_CUSTOMER_SQL } from './batch-run.server.ts'

export const customerBatchBehaviour = behaviour(customerBatch, {
  actions: {
    stop: async (c) => {
      await stopBatchJob(c, c.row.id)
      return {}
    },
    resume: async (c) => {
      await resumeBatchJob(c, customerRun, c.row.id)
      return {}
    },
  },
})

/** Counts the clients that a batch would process. */
const countClients = (engine: Engine, clientId: number): Promise<number> =>
  engine.db.tx('system', async (tx) => {
    const [row] = await tx.rows<{ n: number }>(
      `SELECT count(*)::int AS n FROM client c WHERE ${WITHOUT_CUSTOMER_SQL}`,
      [clientId],
    )
    return row?.n ?? 0
  })

export const customerBatchRoutes: readonly Route[] = [
  routeWith(
    { dryRun: flag({ default: true }) },
    {
      method: 'POST',
      path: '/api/financial/customers/batch',
      title: 'Create customers for all clients without one; with dryRun, only report the result',
      allow: BILLING_ADMIN_ROLE,
      handle: async (c) => {
        const { dryRun } = c.input
        const total = await countClients(c.engine, c.me.clientId)
        return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
          const id = await startBatchJob(unit, customerRun, { dryRun }, { total })
          return async () => {
            const made = await c.engine.one(customerBatch, c.me, id)
            return new RouteAnswer(202, made, { location: made['@id'] })
          }
        })
      },
    },
  ),
]
