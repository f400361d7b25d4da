import type { FastifyBaseLogger } from 'fastify'
import type { Job, PgBoss } from 'pg-boss'
import { ConcurrencyLimiter } from '#server/concurrency-limiter.ts'
import { withTimeLimits } from '#server/db/patience.ts'
import { isUnavailable } from '#server/db/unavailable.ts'
import { batchSizeOf, QUEUE_NAMES, QUEUES, type QueueName } from '#server/engine/queues.ts'
import type { Engine } from '#server/engine/types.ts'
import { performJob } from './perform-job.ts'
import { type AnyJob, openQueue } from './queue.ts'
import { relayBatch } from './relay.ts'
import { relayDue } from './schedules.ts'

type Log = Pick<FastifyBaseLogger, 'error'>

/** Seconds between two polls of a queue: for jobs to be tried again, and those of other processes. */
const POLL_SECONDS = 30

/** Milliseconds that a job, or the opening of the queues, waits for a database that has gone away. */
const AWAY_MS = 600_000
const DUE_QUEUES = `SELECT l.name FROM unnest($1::text[]) l (name)
  WHERE EXISTS (SELECT FROM pgboss.job j WHERE j.name = l.name AND j.state < 'active' AND NOT j.blocked AND j.start_after <= pgboss.job_now())`
/** Milliseconds that a job's statements wait for a lock. */
const LOCK_MS = 60_000

/** The workers of one process. Any number of processes may work on one database. */
export class Workers {
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

  /** Works on all queues until `stop`: at once on jobs that this process commits, and regularly on all others. */
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

  /** Opens the queue, however often the database goes away meanwhile. */
  private async openWithUpkeep(): Promise<PgBoss> {
    for (;;) {
      try {
        return await openQueue(this.engine.db, this.onQueueError, true)
      } catch (e) {
        if (this.isStopping || !isUnavailable(e) || !(await this.engine.db.presence.back(AWAY_MS))) throw e
      }
    }
  }

  /** The loss of the database is logged once, not by each queue. */
  private readonly onQueueError = (e: Error): void => {
    if (!isUnavailable(e)) this.log.error(e)
  }

  /** Queues the events committed so far. Of concurrent calls, the last waits for all. */
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

  /** Queues the schedules that are due. */
  async tick(): Promise<void> {
    await this.engine.clock.load()
    if (await relayDue(this.engine, await this.open())) this.wake('schedules')
  }

  /** Does all due work, with the given concurrency in each queue, and resolves when nothing is left: for tests, and for commands. */
  async drain(concurrency = 1): Promise<void> {
    const boss = await this.open()
    const limiter = new ConcurrencyLimiter(concurrency, Number.POSITIVE_INFINITY)
    for (let found = true; found; ) {
      await this.relay()
      found = false
      for (const queue of await this.dueQueues()) {
        const jobs = await boss.fetch<AnyJob>(queue, { batchSize: 20 })
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

  /** The queues with due jobs, in one round trip. */
  private async dueQueues(): Promise<QueueName[]> {
    const { rows } = await this.engine.db.jobs.executeSql(DUE_QUEUES, [QUEUE_NAMES])
    const due = new Set((rows as { name: string }[]).map(({ name }) => name))
    return QUEUE_NAMES.filter((queue) => due.has(queue))
  }

  /** Starts no more jobs, and gives running ones two seconds to end; those that don't will be tried again. */
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

  /** Starts a worker for a queue, which fetches more jobs as soon as it has done some. Returns the function that wakes it. */
  private async work(boss: PgBoss, queue: QueueName, limiter: ConcurrencyLimiter): Promise<() => void> {
    let wake = () => {}
    const how = { pollingIntervalSeconds: POLL_SECONDS, batchSize: batchSizeOf(queue), perJobResults: true } as const
    const id = await boss.work<AnyJob>(queue, how, async (jobs) => {
      const done = jobs.map((job) => limiter.run(queue, () => this.attempt(boss, queue, job)))
      const settled = await Promise.allSettled(done).finally(() => wake())
      return settled.map((one, n) => {
        const { id } = jobs[n] as Job<AnyJob>
        return one.status === 'fulfilled' ? { id, status: 'completed' } : { id, status: 'failed', output: one.reason }
      })
    })
    wake = () => boss.notifyWorker(id)
    return wake
  }

  private async attempt(boss: PgBoss, queue: QueueName, job: Job<AnyJob>): Promise<void> {
    const { timeoutSeconds } = QUEUES[queue]
    const once = () =>
      withTimeLimits({ statement: timeoutSeconds * 1000, lock: LOCK_MS }, () =>
        performJob(this.engine, boss, queue, job),
      )
    try {
      // A database that goes away undoes the job. It still belongs to this process, which starts it anew.
      await once().catch(async (e: unknown) => {
        if (this.isStopping || !isUnavailable(e) || !(await this.engine.db.presence.back(AWAY_MS))) throw e
        await once()
      })
    } catch (err) {
      this.log.error({ ...job.data, queue, attempt: job.retryCount + 1, err }, 'job')
      throw err
    }
  }
}
