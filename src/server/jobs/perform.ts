import type { Job, PgBoss } from 'pg-boss'
import { systemActor } from '#kernel/roles.ts'
import type { Tx } from '#server/db/db.ts'
import type { QueueName } from '#server/engine/queues.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'
import { type AnyJob, type EventJob, within } from './queue.ts'
import { runScheduled } from './run-schedule.ts'

/** Does a job. Throws when it can't be done now: the lane tries again. */
export const perform = (engine: Engine, boss: PgBoss, lane: QueueName, job: Job<AnyJob>): Promise<void> =>
  'schedule' in job.data ? runScheduled(engine, job.data) : tellListener(engine, boss, lane, { ...job, data: job.data })

/**
 * Tells a listener of its event. What happens in the database is committed together with the note that the job is done, so
 * that it happens once. Once every listener has been told, what the event says leaves the outbox: names, addresses, typed words.
 */
async function tellListener(engine: Engine, boss: PgBoss, lane: QueueName, job: Job<EventJob>): Promise<void> {
  const { client, outbox, listener: name } = job.data
  const [row] = await engine.db.tx({ clientId: client }, (tx) =>
    tx.rows<{ version: number; payload: unknown; isTold: boolean }>(
      'SELECT version, payload, $3 = ANY(told) AS "isTold" FROM outbox WHERE client_id = $1 AND id = $2',
      [client, outbox, name],
    ),
  )
  if (!row) throw new Error('The event is no longer in the outbox')
  if (row.isTold) return
  const told = registryOf(engine).handlers.get(name)
  if (!told) throw new Error(`Nobody listens as "${name}"`)
  await told.send?.({ engine, clientId: client, id: outbox }, row.version, row.payload)
  const { run, inClient = client } = told
  if (run)
    await engine.inTenant(
      inClient,
      { actor: systemActor(inClient, name), requestId: `${name} ${outbox}` },
      async (c) => {
        await run(c, row.version, row.payload)
        if (inClient === client) await noteTold(c.work.tx, job.data)
        const done = await boss.complete(lane, job, null, { db: within(c.work.tx, 'stanchion_tenant') })
        // Too slow: somebody else has taken it up meanwhile, so that what happened here must not count.
        if (!('affected' in done && done.affected === 1)) throw new Error('This job is no longer ours')
        return () => undefined
      },
    )
  if (!run || inClient !== client) await engine.db.tx({ clientId: client }, (tx) => noteTold(tx, job.data))
}

const noteTold = (tx: Tx, { client, outbox, listener }: EventJob): Promise<unknown> =>
  tx.rows(
    `UPDATE outbox SET told = told || $3::text, payload = CASE WHEN cardinality(told) + 1 >= listeners THEN '{}' ELSE payload END
     WHERE client_id = $1 AND id = $2 AND NOT $3 = ANY(told)`,
    [client, outbox, listener],
  )
