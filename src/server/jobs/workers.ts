import { hash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Job, PgBoss } from 'pg-boss'
import { createSystemActor } from '#kernel/roles.ts'
import { ConcurrencyLimiter } from '#server/concurrency-limiter.ts'
import type { Tx } from '#server/db/db.ts'
import { withTimeLimits } from '#server/db/time-limits.ts'
import { isDbUnavailable } from '#server/db/unavailable.ts'
import { batchSizeOf, perClientLimitOf, QUEUE_NAMES, QUEUES, type QueueName } from '#server/engine/queues.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'
import {
  createTransactionQueueConn,
  type EventJob,
  openQueue,
  type QueueJob,
  queueDueSchedules,
  readClientTurns,
  runScheduleJob,
} from './schedules.ts'

const BATCH_SIZE = 200

/**
 * Returns the ID of a handler's job for an event. Due jobs are fetched in the order of their IDs, so the oldest event
 * comes first.
 */
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
 * Creates jobs for rows in the outbox: one job in the queue of each handler. A row is marked in the transaction that
 * creates its jobs. Each job is therefore created once, however many processes there are. Returns true if there may be
 * more rows.
 */
const relayBatch = (engine: Engine, boss: PgBoss, onJobs: (queue: QueueName) => void): Promise<boolean> => {
  const all = [...registryOf(engine).handlers.values()]
  const jobsOf = ({ client_id: client, id: outbox, kind }: Row): readonly (readonly [QueueName, EventJob])[] => {
    const handlers = all.filter((l) => l.event.kind === kind)
    // An event without a handler gets a job that fails visibly, instead of being dropped.
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
      const db = createTransactionQueueConn(tx, 'stanchion_system')
      for (const [queue, queued] of jobs) {
        const turnOf = await readClientTurns(db, queue)
        await boss.insert(
          queue,
          queued.map(([, data]) => ({ id: jobId(data), data, ...turnOf(data.client) })),
          { db },
        )
      }
      return { more: rows.length === BATCH_SIZE, queues: [...jobs.keys()] }
    })
    .then(({ more, queues }) => {
      for (const queue of queues) onJobs(queue)
      return more
    })
}

/** Runs a job. Throws if the job fails, so that the queue retries it. */
const performJob = (engine: Engine, boss: PgBoss, queue: QueueName, job: Job<QueueJob>): Promise<void> =>
  'schedule' in job.data
    ? runScheduleJob(engine, job.data)
    : runHandler(engine, boss, queue, { ...job, data: job.data })

/**
 * Runs a handler for its event. Its database work is committed together with the completion of the job, and is
 * therefore done once. After the last handler, the payload is removed from the outbox, because it contains personal
 * data.
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
  if (!handler) throw new Error(`No handler is registered for "${name}"`)
  await handler.send?.({ engine, clientId: client, id: outbox }, row.version, row.payload)
  const { run, inClient = client } = handler
  if (run)
    await engine.inTenant(
      inClient,
      { actor: createSystemActor(inClient, name), requestId: `${name} ${outbox}` },
      async (c) => {
        await run(c, row.version, row.payload)
        if (inClient === client) await markHandled(c.work.tx, job.data)
        const done = await boss.complete(queue, job, null, {
          db: createTransactionQueueConn(c.work.tx, 'stanchion_tenant'),
        })
        // Another process has taken over this job because it was too slow here. This work must therefore not be
        // committed.
        if (!('affected' in done && done.affected === 1)) throw new Error('Another process has taken over this job')
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

type Log = Pick<FastifyBaseLogger, 'error'>

/** Seconds between two polls of a queue. Polling finds retries and jobs created by other processes. */
const POLL_SECONDS = 30

/** Milliseconds for which a job, or the opening of the queues, waits for an unavailable database. */
const AWAY_MS = 600_000
const DUE_QUEUES = `SELECT l.name FROM unnest($1::text[]) l (name)
  WHERE EXISTS (SELECT FROM pgboss.job j WHERE j.name = l.name AND j.state < 'active' AND NOT j.blocked AND j.start_after <= pgboss.job_now())`
/** Milliseconds for which a statement in a job waits for a lock. */
const LOCK_MS = 60_000

/** Queue workers in one process. Any number of processes may share a database. */
export class QueueWorkers {
  private readonly engine: Engine
  private readonly log: Log
  private boss: Promise<PgBoss> | undefined
  private readonly wakers = new Map<QueueName, (() => void)[]>()
  private relaying = Promise.resolve()
  private next: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined
  private isStopping = false

  constructor(engine: Engine, log: Log) {
    this.engine = engine
    this.log = log
  }

  /**
   * Works on all queues until `stop` is called. Jobs committed by this process are started immediately; all others are
   * found by periodic polling.
   */
  async start(): Promise<void> {
    this.boss = this.openWithUpkeep()
    const boss = await this.boss
    for (const queue of QUEUE_NAMES) {
      const { concurrency } = QUEUES[queue]
      const limiter = new ConcurrencyLimiter(concurrency, Number.POSITIVE_INFINITY)
      this.wakers.set(
        queue,
        await Promise.all(Array.from({ length: concurrency }, () => this.work(boss, queue, limiter))),
      )
    }
    const relay = () => void this.relay().catch((e: unknown) => this.log.error(e))
    this.engine.onCommit.push((touched) => {
      if (touched.has('outbox')) relay()
      if (touched.has('clock')) void this.tick().catch((e: unknown) => this.log.error(e))
      if (touched.has('job')) for (const queue of QUEUE_NAMES) this.wake(queue)
    })
    const poll = () => {
      relay()
      void this.tick().catch((e: unknown) => this.log.error(e))
    }
    this.timer = setInterval(poll, POLL_SECONDS * 1000)
    this.engine.db.presence.onChange((isAway) => {
      if (isAway || this.isStopping) return
      poll()
      for (const queue of QUEUE_NAMES) this.wake(queue)
    })
    poll()
  }

  /** Opens the queue, retrying while the database is unavailable. */
  private async openWithUpkeep(): Promise<PgBoss> {
    for (;;) {
      try {
        return await openQueue(this.engine.db, this.onQueueError, true)
      } catch (e) {
        if (this.isStopping || !isDbUnavailable(e) || !(await this.engine.db.presence.back(AWAY_MS))) throw e
      }
    }
  }

  /** Logs an error, except for a database outage, which is logged once elsewhere and not for each queue. */
  private readonly onQueueError = (e: Error): void => {
    if (!isDbUnavailable(e)) this.log.error(e)
  }

  /**
   * Creates jobs for the events committed so far. Concurrent calls share one pass. This pass includes all callers'
   * events.
   */
  relay(): Promise<void> {
    this.next ??= this.relaying
      .catch(() => {})
      .then(() => {
        this.next = undefined
        this.relaying = this.relayAll()
        return this.relaying
      })
    return this.next
  }

  /** Reads the portal's clock again, and queues the schedules that are due. */
  async tick(): Promise<void> {
    await this.engine.clock.load()
    if (await queueDueSchedules(this.engine, await this.open())) this.wake('schedules')
  }

  /**
   * Runs all due work and resolves when nothing is left to do. `concurrency` applies to each queue. For tests and
   * commands.
   */
  async drain(concurrency = 1): Promise<void> {
    const boss = await this.open()
    const limiter = new ConcurrencyLimiter(concurrency, Number.POSITIVE_INFINITY)
    for (let found = true; found; ) {
      await this.relay()
      found = false
      for (const queue of await this.dueQueues()) {
        const jobs = await boss.fetch<QueueJob>(queue, { batchSize: 20 })
        if (jobs.length) found = true
        await Promise.all(
          jobs.map((job) =>
            limiter.run(queue, () =>
              this.attempt(boss, queue, job).then(
                () => boss.complete(queue, job),
                (e: Error) => boss.fail(queue, job, e),
              ),
            ),
          ),
        )
      }
    }
  }

  /** Returns the queues with due jobs, in one round trip. */
  private async dueQueues(): Promise<QueueName[]> {
    const { rows } = await this.engine.db.jobs.executeSql(DUE_QUEUES, [QUEUE_NAMES])
    const due = new Set((rows as { name: string }[]).map(({ name }) => name))
    return QUEUE_NAMES.filter((queue) => due.has(queue))
  }

  /** Starts no more jobs, and gives running jobs two seconds to end. Unfinished jobs will be retried. */
  async stop(): Promise<void> {
    this.isStopping = true
    clearInterval(this.timer)
    await this.relaying.catch(() => {})
    await (await this.boss)?.stop({ graceful: true, timeout: 2000 })
  }

  private open(): Promise<PgBoss> {
    this.boss ??= openQueue(this.engine.db, this.onQueueError, false)
    return this.boss
  }

  private async relayAll(): Promise<void> {
    const boss = await this.open()
    while (await relayBatch(this.engine, boss, (queue) => this.wake(queue)));
  }

  private wake(queue: QueueName): void {
    for (const wake of this.wakers.get(queue) ?? []) wake()
  }

  /**
   * Starts a worker for a queue. The worker fetches more jobs as soon as it has completed some. Returns a function that
   * wakes the worker.
   */
  private async work(boss: PgBoss, queue: QueueName, limiter: ConcurrencyLimiter): Promise<() => void> {
    let wake = () => {}
    const perClient = perClientLimitOf(queue)
    const how = {
      pollingIntervalSeconds: POLL_SECONDS,
      batchSize: batchSizeOf(queue),
      perJobResults: true,
      ...(perClient ? { localGroupConcurrency: perClient } : {}),
    } as const
    const id = await boss.work<QueueJob>(queue, how, async (jobs) => {
      const done = jobs.map((job) => limiter.run(queue, () => this.attempt(boss, queue, job)))
      const settled = await Promise.allSettled(done).finally(() => wake())
      return settled.map((one, n) => {
        const { id } = jobs[n] as Job<QueueJob>
        return one.status === 'fulfilled' ? { id, status: 'completed' } : { id, status: 'failed', output: one.reason }
      })
    })
    wake = () => boss.notifyWorker(id)
    return wake
  }

  private async attempt(boss: PgBoss, queue: QueueName, job: Job<QueueJob>): Promise<void> {
    const { timeoutSeconds } = QUEUES[queue]
    const once = () =>
      withTimeLimits({ statement: timeoutSeconds * 1000, lock: LOCK_MS }, () =>
        performJob(this.engine, boss, queue, job),
      )
    try {
      // If the database becomes unavailable, the job is rolled back. The job still belongs to this process, and is run
      // again.
      await once().catch(async (e: unknown) => {
        if (this.isStopping || !isDbUnavailable(e) || !(await this.engine.db.presence.back(AWAY_MS))) throw e
        await once()
      })
    } catch (err) {
      this.log.error({ ...job.data, queue, attempt: job.retryCount + 1, err }, 'job')
      throw err
    }
  }
}
