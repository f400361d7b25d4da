import { problem } from '#kernel/errors.ts'
import { author } from '#kernel/roles.ts'
import { behaviour, type Job, type Route, RouteAnswer } from '#server/behaviour.ts'
import { present } from '#server/engine.ts'
import { SET_PRICES } from '../rights.ts'
import { customerBatch } from './batch.ts'
import { BATCH_KIND, runBatch } from './batch-run.server.ts'

export const batchBehaviour = behaviour(customerBatch, {
  actions: {
    stop: () => ({ set: { state: 'stopped' } }),
    resume: async ({ row, work }) => {
      await work.after(BATCH_KIND, { batch: row.id })
      return { set: { state: 'waiting', error: null, finishedAt: null } }
    },
  },
})

export const batchRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/financial/customers/batch',
    title: 'Make customers of all clients that have none; with dryRun, only say what would happen',
    allow: SET_PRICES,
    handle: async (c) => {
      const { dryRun = true } = c.body
      if (typeof dryRun !== 'boolean') throw problem.wrongType('dryRun', 'bool', dryRun)
      const change = { ...c.change(), resource: customerBatch }
      return c.engine.inTenant(c.me.clientId, change, async ({ work, actor }) => {
        const [other] = await work.tx.rows(
          "SELECT 1 FROM customer_batch WHERE client_id = $1 AND state IN ('waiting', 'running') FOR UPDATE",
          [work.clientId],
        )
        if (other) throw problem.conflict('A run is under way already. Wait until it has finished, or stop it.')
        const batch = work.create(customerBatch, { dryRun, author: author(actor).username, state: 'waiting' })
        await work.flush()
        const { id } = batch.row()
        await work.tx.rows('UPDATE customer_batch SET user_id = $3 WHERE client_id = $1 AND id = $2', [
          work.clientId,
          id,
          actor.userId,
        ])
        await work.after(BATCH_KIND, { batch: id })
        return () => {
          const made = present(customerBatch, actor, batch)
          return new RouteAnswer(202, made, { location: String(made['@id']) })
        }
      })
    },
  },
]

export const batchJobs: readonly Job[] = [
  { kind: BATCH_KIND, run: (engine, payload, clientId) => runBatch(engine, clientId, Number(payload.batch)) },
]
