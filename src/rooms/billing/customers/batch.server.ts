import { problem } from '#kernel/errors.ts'
import { author } from '#kernel/roles.ts'
import { behaviour, type Route, RouteAnswer } from '#server/behaviour.ts'
import { present } from '#server/engine.ts'
import { listener } from '#server/runs/listener.ts'
import { SET_PRICES } from '../rights.ts'
import { customerBatch } from './batch.ts'
import { batchDue, runBatch } from './batch-run.server.ts'

export const batchBehaviour = behaviour(customerBatch, {
  actions: {
    stop: () => ({ set: { state: 'stopped' as const } }),
    resume: async (c) => {
      await c.after(batchDue, { batch: c.row.id })
      return { set: { state: 'waiting' as const, error: null, finishedAt: null } }
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
      return c.engine.inTenant(c.me.clientId, change, async (unit) => {
        const { work, actor } = unit
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
        await unit.after(batchDue, { batch: id })
        return () => {
          const made = present(customerBatch, actor, batch)
          return new RouteAnswer(202, made, { location: String(made['@id']) })
        }
      })
    },
  },
]

export const batchListener = listener(batchDue, {
  name: 'billing.customer-batch',
  lane: 'bulk',
  send: ({ engine, clientId }, { batch }) => runBatch(engine, clientId, batch),
})
