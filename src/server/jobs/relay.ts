import { hash } from 'node:crypto'
import type { PgBoss } from 'pg-boss'
import type { QueueName } from '#server/engine/queues.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'
import { type EventJob, within } from './queue.ts'

const BATCH_SIZE = 200

/** The job of an event for a handler: due jobs are fetched in the order of their ids, the oldest event first. */
const jobId = ({ outbox, listener }: EventJob): string =>
  (outbox.toString(16).padStart(16, '0') + hash('sha256', listener).slice(0, 16)).replace(
    /^(.{8})(.{4})(.{4})(.{4})/,
    '$1-$2-$3-$4-',
  )

const countBy = (words: readonly string[]): [string, number][] =>
  [...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length])

interface Row {
  readonly client_id: number
  readonly id: number
  readonly kind: string
}

/**
 * Passes rows of the outbox to the queues of their handlers, one job each. A row is marked in the transaction that makes its jobs: with any
 * number of processes, each job is made once. True while there may be more rows.
 */
export const relayBatch = (engine: Engine, boss: PgBoss, onJobs: (queue: QueueName) => void): Promise<boolean> => {
  const all = [...registryOf(engine).handlers.values()]
  const jobsOf = ({ client_id: client, id: outbox, kind }: Row): readonly (readonly [QueueName, EventJob])[] => {
    const handlers = all.filter((l) => l.event.kind === kind)
    // An event without a handler fails visibly, rather than being dropped.
    if (!handlers.length) return [['events', { client, outbox, listener: kind }]]
    return handlers.map((l) => [l.queue, { client, outbox, listener: l.name }])
  }
  const counts = JSON.stringify(Object.fromEntries(countBy(all.map((l) => l.event.kind))))
  return engine.db
    .tx('system', async (tx) => {
      const rows = await tx.rows<Row>(
        `UPDATE outbox SET relayed_at = now(), listeners = ($1::jsonb ->> kind)::int WHERE (client_id, id) IN
           (SELECT client_id, id FROM outbox WHERE relayed_at IS NULL ORDER BY id LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED)
         RETURNING client_id, id, kind`,
        [counts],
      )
      const jobs = Map.groupBy(rows.sort((a, b) => a.id - b.id).flatMap(jobsOf), ([queue]) => queue)
      for (const [queue, queued] of jobs)
        await boss.insert(
          queue,
          queued.map(([, data]) => ({ id: jobId(data), data })),
          { db: within(tx, 'stanchion_system') },
        )
      return { more: rows.length === BATCH_SIZE, queues: [...jobs.keys()] }
    })
    .then(({ more, queues }) => {
      for (const queue of queues) onJobs(queue)
      return more
    })
}
