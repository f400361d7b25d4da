import type { Job, PgBoss } from 'pg-boss'
import { systemActor } from '#kernel/roles.ts'
import type { Tx } from '#server/db/db.ts'
import type { QueueName } from '#server/engine/queues.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'
import { type AnyJob, type EventJob, within } from './queue.ts'
import { runScheduled } from './schedules.ts'

/** Does a job. Throws when it can't be done now: the queue tries again. */
export const performJob = (engine: Engine, boss: PgBoss, queue: QueueName, job: Job<AnyJob>): Promise<void> =>
  'schedule' in job.data ? runScheduled(engine, job.data) : runHandler(engine, boss, queue, { ...job, data: job.data })

/**
 * Runs a handler for its event. Database work is committed together with the completion of the job, so that it happens once. After the last
 * handler, the payload leaves the outbox: names, addresses, typed words.
 */
async function runHandler(engine: Engine, boss: PgBoss, queue: QueueName, job: Job<EventJob>): Promise<void> {
  const { client, outbox, listener: name } = job.data
  const [row] = await engine.db.tx({ clientId: client }, (tx) =>
    tx.rows<{ version: number; payload: unknown; isHandled: boolean }>(
      'SELECT version, payload, $3 = ANY(told) AS "isHandled" FROM outbox WHERE client_id = $1 AND id = $2',
      [client, outbox, name],
    ),
  )
  if (!row) throw new Error('The event is no longer in the outbox')
  if (row.isHandled) return
  const handler = registryOf(engine).handlers.get(name)
  if (!handler) throw new Error(`Nobody handles "${name}"`)
  await handler.send?.({ engine, clientId: client, id: outbox }, row.version, row.payload)
  const { run, inClient = client } = handler
  if (run)
    await engine.inTenant(
      inClient,
      { actor: systemActor(inClient, name), requestId: `${name} ${outbox}` },
      async (c) => {
        await run(c, row.version, row.payload)
        if (inClient === client) await markHandled(c.work.tx, job.data)
        const done = await boss.complete(queue, job, null, { db: within(c.work.tx, 'stanchion_tenant') })
        // Too slow: another process has taken the job meanwhile, so that this work must not count.
        if (!('affected' in done && done.affected === 1)) throw new Error('This job is no longer ours')
        return () => undefined
      },
    )
  if (!run || inClient !== client) await engine.db.tx({ clientId: client }, (tx) => markHandled(tx, job.data))
}

const markHandled = (tx: Tx, { client, outbox, listener }: EventJob): Promise<unknown> =>
  tx.rows(
    `UPDATE outbox SET told = told || $3::text, payload = CASE WHEN cardinality(told) + 1 >= listeners THEN '{}' ELSE payload END
     WHERE client_id = $1 AND id = $2 AND NOT $3 = ANY(told)`,
    [client, outbox, listener],
  )
