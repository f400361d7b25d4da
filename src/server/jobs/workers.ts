import type { FastifyBaseLogger } from 'fastify'
import type { Job, PgBoss } from 'pg-boss'
import { withTimeLimits } from '#server/db/patience.ts'
import { isUnavailable } from '#server/db/unavailable.ts'
import type { Engine } from '#server/engine/engine.ts'
import { batchSizeOf, QUEUE_NAMES, QUEUES, type QueueName } from '#server/engine/queues.ts'
import { perform } from './perform.ts'
import { type AnyJob, openQueue } from './queue.ts'
import { relayBatch } from './relay.ts'
import { relayDue } from './run-schedule.ts'
import { Semaphore } from './semaphore.ts'

type Log = Pick<FastifyBaseLogger, 'error'>

/** Seconds after which a lane is looked into without having been called: for jobs to be tried again, and those of other processes. */
const LOOK_SECONDS = 30

/** Milliseconds that a job, or the opening of the lanes, waits for a database that has gone away. */
const AWAY_MS = 600_000
const DUE = `SELECT l.name FROM unnest($1::text[]) l (name)
  WHERE EXISTS (SELECT FROM pgboss.job j WHERE j.name = l.name AND j.state < 'active' AND NOT j.blocked AND j.start_after <= pgboss.job_now())`
/** Milliseconds that a job's statements wait for a lock. */
const LOCK_MS = 60_000

/** The lanes of one process. Any number of processes may work on one database. */
export class Workers {
  private readonly engine: Engine
  private readonly log: Log
  private queue: Promise<PgBoss> | undefined
  private readonly waiting = new Map<QueueName, (() => void)[]>()
  private relaying = Promise.resolve()
  private next: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined
  private isStopping = false

  constructor(engine: Engine, log: Log) {
    this.engine = engine
    this.log = log
  }

  /** Works on all lanes until `stop`: at once on what this process commits, and every so often on what others have left. */
  async start(): Promise<void> {
    this.queue = this.openWithUpkeep()
    const boss = await this.queue
    for (const lane of QUEUE_NAMES) {
      const { concurrency } = QUEUES[lane]
      const places = new Semaphore(concurrency)
      this.waiting.set(
        lane,
        await Promise.all(Array.from({ length: concurrency }, () => this.work(boss, lane, places))),
      )
    }
    const relay = () => void this.relay().catch((e: unknown) => this.log.error(e))
    this.engine.committed.push((touched) => {
      if (touched.has('outbox')) relay()
      if (touched.has('clock')) void this.tick().catch((e: unknown) => this.log.error(e))
      if (touched.has('job')) for (const lane of QUEUE_NAMES) this.wake(lane)
    })
    const look = () => {
      relay()
      void this.tick().catch((e: unknown) => this.log.error(e))
    }
    this.timer = setInterval(look, LOOK_SECONDS * 1000)
    this.engine.db.presence.onChange((isAway) => {
      if (isAway || this.isStopping) return
      look()
      for (const lane of QUEUE_NAMES) this.wake(lane)
    })
    look()
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

  /** That the database is away is told once, not by each lane. */
  private readonly onQueueError = (e: Error): void => {
    if (!isUnavailable(e)) this.log.error(e)
  }

  /** Hands on what has been committed so far. Of many calls at once, the last waits for all. */
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

  /** Hands on the schedules whose time has come. */
  async tick(): Promise<void> {
    await this.engine.clock.load()
    if (await relayDue(this.engine, await this.open())) this.wake('schedules')
  }

  /** Does everything that is due, so many jobs of a lane at once, and resolves when nothing is: for tests, and for commands that end. */
  async drain(concurrency = 1): Promise<void> {
    const boss = await this.open()
    const places = new Semaphore(concurrency)
    for (let found = true; found; ) {
      await this.relay()
      found = false
      for (const lane of await this.lanesDue()) {
        const jobs = await boss.fetch<AnyJob>(lane, { batchSize: 20 })
        if (jobs.length) found = true
        await Promise.all(
          jobs.map((job) =>
            places.take(() =>
              this.attempt(boss, lane, job).then(
                () => boss.complete(lane, job),
                (e: Error) => boss.fail(lane, job, e),
              ),
            ),
          ),
        )
      }
    }
  }

  /** The lanes in which something waits: each that is looked into by itself costs a journey. */
  private async lanesDue(): Promise<QueueName[]> {
    const { rows } = await this.engine.db.jobs.executeSql(DUE, [QUEUE_NAMES])
    const due = new Set((rows as { name: string }[]).map(({ name }) => name))
    return QUEUE_NAMES.filter((lane) => due.has(lane))
  }

  /** Begins nothing more, and gives what is under way two seconds to end; what does not will be tried again. */
  async stop(): Promise<void> {
    this.isStopping = true
    clearInterval(this.timer)
    await this.relaying.catch(() => {})
    await (await this.queue)?.stop({ graceful: true, timeout: 2000 })
  }

  private open(): Promise<PgBoss> {
    this.queue ??= openQueue(this.engine.db, this.onQueueError, false)
    return this.queue
  }

  private async relayAll(): Promise<void> {
    const boss = await this.open()
    while (await relayBatch(this.engine, boss, (lane) => this.wake(lane)));
  }

  private wake(lane: QueueName): void {
    for (const wake of this.waiting.get(lane) ?? []) wake()
  }

  /** Sets a worker to a lane, which looks for other jobs as soon as it has done some. Gives what wakes it. */
  private async work(boss: PgBoss, lane: QueueName, places: Semaphore): Promise<() => void> {
    let wake = () => {}
    const how = { pollingIntervalSeconds: LOOK_SECONDS, batchSize: batchSizeOf(lane), perJobResults: true } as const
    const id = await boss.work<AnyJob>(lane, how, async (jobs) => {
      const done = jobs.map((job) => places.take(() => this.attempt(boss, lane, job)))
      const settled = await Promise.allSettled(done).finally(() => wake())
      return settled.map((one, n) => {
        const { id } = jobs[n] as Job<AnyJob>
        return one.status === 'fulfilled' ? { id, status: 'completed' } : { id, status: 'failed', output: one.reason }
      })
    })
    wake = () => boss.notifyWorker(id)
    return wake
  }

  private async attempt(boss: PgBoss, lane: QueueName, job: Job<AnyJob>): Promise<void> {
    const { timeoutSeconds } = QUEUES[lane]
    const once = () =>
      withTimeLimits({ statement: timeoutSeconds * 1000, lock: LOCK_MS }, () => perform(this.engine, boss, lane, job))
    try {
      // Under a database that goes away nothing is done. The job is this process's still, and is begun anew.
      await once().catch(async (e: unknown) => {
        if (this.isStopping || !isUnavailable(e) || !(await this.engine.db.presence.back(AWAY_MS))) throw e
        await once()
      })
    } catch (err) {
      this.log.error({ ...job.data, lane, attempt: job.retryCount + 1, err }, 'job')
      throw err
    }
  }
}
