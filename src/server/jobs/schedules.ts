import type { ConstructorOptions, PgBoss } from 'pg-boss'
import { createSystemActor } from '#kernel/roles.ts'
import type { Db, JobQueueConn, Tx } from '#server/db/db.ts'
import {
  HEARTBEAT_TIMEOUT_SECONDS,
  perClientLimitOf,
  QUEUE_NAMES,
  QUEUES,
  type QueueName,
  RETRY_POLICY,
} from '#server/engine/queues.ts'
import { registryOf } from '#server/engine/registry.ts'
import { findLatestSlotAt, type Schedule } from '#server/engine/schedule.ts'
import type { Engine } from '#server/engine/types.ts'

/** Job for an event handler: the handler's name, and the event's row in the outbox. */
export interface EventJob {
  readonly client: number
  readonly outbox: number
  readonly listener: string
}

/** Job for a schedule: the schedule's name, and the slot that is due. */
interface ScheduleJob {
  readonly schedule: string
  readonly slot: string
}

export type QueueJob = EventJob | ScheduleJob

/**
 * Returns a connection that runs the queue's statements inside an open transaction. After each statement, the
 * transaction continues as `role`.
 */
export const createTransactionQueueConn = (tx: Tx, role: 'stanchion_system' | 'stanchion_tenant'): JobQueueConn => ({
  executeSql: async (text, values = []) => {
    await tx.script('SET LOCAL ROLE NONE')
    const rows = await tx.rows(text, values)
    await tx.script(`SET LOCAL ROLE ${role}`)
    return { rows }
  },
})

/** Priority of a client's job among those of other clients. Jobs with a higher priority are fetched first. */
interface ClientTurn {
  readonly group?: { readonly id: string }
  readonly priority?: number
}

const UNFINISHED_BY_CLIENT = `SELECT group_id AS client, max(priority) AS next, min(priority) AS last FROM pgboss.job
  WHERE name = $1 AND group_id IS NOT NULL AND (state < 'active' AND NOT blocked AND start_after <= pgboss.job_now() OR state = 'active')
  GROUP BY group_id`

/**
 * Returns a function that gives the next job of a client its turn. The first job of each client comes before the second
 * of any other, and a client that begins now has no advantage over turns that are already past.
 */
export async function readClientTurns(db: JobQueueConn, queue: QueueName): Promise<(client: number) => ClientTurn> {
  if (!perClientLimitOf(queue)) return () => ({})
  const { rows } = await db.executeSql(UNFINISHED_BY_CLIENT, [queue])
  const unfinished = rows as { client: string; next: number; last: number }[]
  const current = unfinished.length ? Math.max(...unfinished.map(({ next }) => next)) : 0
  const last = new Map(unfinished.map((one) => [one.client, one.last]))
  return (client) => {
    const id = String(client)
    const priority = Math.min(current, (last.get(id) ?? Number.POSITIVE_INFINITY) - 1)
    last.set(id, priority)
    return { group: { id }, priority }
  }
}

/**
 * Opens the job queue, with a separate queue for each kind of work. With `upkeep`, jobs of dead processes are retried
 * and old completed jobs are deleted.
 */
export async function openQueue(db: Db, onError: (e: Error) => void, upkeep: boolean): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss')
  const options: ConstructorOptions = { schedule: false, supervise: upkeep, superviseIntervalSeconds: 30 }
  const boss = new PgBoss({ ...options, db: db.jobs })
  boss.on('error', onError)
  await boss.start()
  const known = new Set((await boss.getQueues()).map((q) => q.name))
  for (const name of QUEUE_NAMES) {
    const lane = {
      ...RETRY_POLICY,
      expireInSeconds: QUEUES[name].timeoutSeconds,
      heartbeatSeconds: HEARTBEAT_TIMEOUT_SECONDS,
    }
    await (known.has(name) ? boss.updateQueue(name, lane) : boss.createQueue(name, lane))
    // pg-boss reads a queue's settings when the queue is first used. This would fail inside our transaction, so it is
    // done now.
    await boss.findJobs(name, { key: '' })
  }
  return boss
}

/** A job that has failed, either permanently or until its next attempt. */
export interface FailedJob {
  readonly id: string
  readonly lane: string
  /** Client in which the event occurred; null for a schedule. */
  readonly client: number | null
  /** Name of the event handler or schedule. */
  readonly job: string
  readonly attempts: number
  readonly error: string
  readonly failedAt: string
  /** Time of the next attempt; null if the job must be retried manually. */
  readonly nextAt: string | null
}

const MAX_FAILURES = 500
const ISO = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
const LIST_FAILURES = `SELECT id, name AS lane, data, retry_count AS retries, coalesce(output ->> 'message', output -> 'value' ->> 'message', '') AS error,
    ${ISO('coalesce(completed_on, heartbeat_on, started_on, created_on)')} AS failed_at, CASE WHEN state = 'retry' THEN ${ISO('start_after')} END AS next_at
  FROM pgboss.job WHERE state IN ('failed', 'retry') ORDER BY created_on DESC, id LIMIT ${MAX_FAILURES}`

interface Row {
  readonly id: string
  readonly lane: string
  readonly data: QueueJob
  readonly retries: number
  readonly error: string
  readonly failed_at: string
  readonly next_at: string | null
}

/** Returns failed jobs, newest first. */
export const listFailedJobs = (db: Db): Promise<FailedJob[]> =>
  db.tx('owner', async (tx) => {
    const [opened] = await tx.rows("SELECT 1 FROM pg_tables WHERE schemaname = 'pgboss' AND tablename = 'job'")
    const rows = opened ? await tx.rows<Row>(LIST_FAILURES) : []
    return rows.map((r) => ({
      id: r.id,
      lane: r.lane,
      client: 'client' in r.data ? r.data.client : null,
      job: 'client' in r.data ? r.data.listener : r.data.schedule,
      attempts: r.retries + 1,
      error: r.error,
      failedAt: r.failed_at,
      nextAt: r.next_at,
    }))
  })

/** Retries a failed job now. Returns false if there is no such job. */
export async function retryFailedJob(engine: Engine, id: string): Promise<boolean> {
  const failure = (await listFailedJobs(engine.db)).find((f) => f.id === id)
  if (!failure) return false
  await engine.db.tx('owner', (tx) =>
    tx.rows(
      `UPDATE pgboss.job SET state = 'retry', start_after = now(), completed_on = NULL, retry_limit = greatest(retry_limit, retry_count + 1)
       WHERE id = $1 AND state IN ('failed', 'retry')`,
      [id],
    ),
  )
  engine.notifyCommit(new Set(['job']))
  return true
}

/**
 * Queues the schedules that are due. Each slot is queued once, even if several processes call this function. Returns
 * true if any were due.
 */
export const queueDueSchedules = (engine: Engine, boss: PgBoss): Promise<boolean> =>
  engine.db.tx('system', async (tx) => {
    const slots = [...registryOf(engine).schedules.values()].map(
      (s) => [s.name, findLatestSlotAt(s.every, engine.clock.now())] as const,
    )
    const due = await tx.rows<{ name: string; slot: string }>(
      `INSERT INTO schedule (name, slot) SELECT * FROM unnest($1::text[], $2::text[])
       ON CONFLICT (name) DO UPDATE SET slot = EXCLUDED.slot WHERE schedule.slot < EXCLUDED.slot RETURNING name, slot`,
      [slots.map(([name]) => name), slots.map(([, slot]) => slot)],
    )
    const jobs = due.map(({ name, slot }): { data: ScheduleJob } => ({ data: { schedule: name, slot } }))
    if (jobs.length) await boss.insert('schedules', jobs, { db: createTransactionQueueConn(tx, 'stanchion_system') })
    return jobs.length > 0
  })

/** Runs a schedule for a slot, unless a later slot is already due. */
export async function runScheduleJob(engine: Engine, { schedule: name, slot }: ScheduleJob): Promise<void> {
  const s = registryOf(engine).schedules.get(name)
  if (!s) throw new Error(`No schedule is called "${name}"`)
  const [newer] = await engine.db.tx('system', (tx) =>
    tx.rows('SELECT 1 FROM schedule WHERE name = $1 AND slot > $2', [name, slot]),
  )
  if (!newer) await runSchedule(engine, s, slot)
}

/** Runs a schedule now. If part of the work fails, completes the rest and then throws. */
export async function runSchedule(
  engine: Engine,
  s: Schedule,
  slot = findLatestSlotAt(s.every, engine.clock.now()),
): Promise<void> {
  await s.run?.(engine)
  if (s.perClient) await runPerClient(engine, s, Temporal.PlainDate.from(slot))
}

const PAGE = 200

async function runPerClient(engine: Engine, s: Schedule, day: Temporal.PlainDate): Promise<void> {
  const failed: { client: number; error: Error }[] = []
  for (let after = -1; ; ) {
    const clients = await engine.db.tx('system', (tx) =>
      tx.rows<{ id: number }>(
        `SELECT c.id FROM client c LEFT JOIN schedule_client d ON d.client_id = c.id AND d.name = $1
         WHERE c.id > $2 AND NOT c.retired AND (d.day IS NULL OR d.day < $3::date) ORDER BY c.id LIMIT ${PAGE}`,
        [s.name, after, day.toString()],
      ),
    )
    for (const { id } of clients)
      await forClient(engine, s, id, day).catch((error: Error) => failed.push({ client: id, error }))
    const last = clients.at(-1)
    if (!last || clients.length < PAGE) break
    after = last.id
  }
  const [first] = failed
  if (first)
    throw new Error(
      `"${s.name}" failed for ${failed.length} of the clients. The first error, for client ${first.client}, was: ${first.error.message}`,
      { cause: first.error },
    )
}

const forClient = (engine: Engine, s: Schedule, clientId: number, day: Temporal.PlainDate): Promise<void> =>
  engine.inTenant(
    clientId,
    { actor: createSystemActor(clientId, s.name), requestId: `${s.name} ${day.toString()}` },
    async (c) => {
      const [mine] = await c.work.tx.rows(
        `INSERT INTO schedule_client (client_id, name, day) VALUES ($1, $2, $3)
       ON CONFLICT (client_id, name) DO UPDATE SET day = EXCLUDED.day WHERE schedule_client.day < EXCLUDED.day RETURNING 1`,
        [clientId, s.name, day.toString()],
      )
      if (mine) await s.perClient?.(c, day)
      return () => undefined
    },
  )
