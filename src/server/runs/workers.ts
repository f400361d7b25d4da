import type { FastifyBaseLogger } from 'fastify'
import type { Job, PgBoss } from 'pg-boss'
import { patiently } from '#server/db/patience.ts'
import { isUnavailable } from '#server/db/unavailable.ts'
import type { Engine } from '#server/engine/engine.ts'
import { LANE_NAMES, LANES, type LaneName } from '#server/engine/lanes.ts'
import { perform } from './perform.ts'
import { type AnyJob, openQueue } from './queue.ts'
import { relayBatch } from './relay.ts'
import { relayDue } from './run-schedule.ts'

type Log = Pick<FastifyBaseLogger, 'error'>

/** Seconds after which a lane is looked into without having been called: for jobs to be tried again, and those of other processes. */
const LOOK_SECONDS = 30

/** Milliseconds that a job, or the opening of the lanes, waits for a database that has gone away. */
const AWAY_MS = 600_000
/** Milliseconds that a job's statements wait for a lock. */
const LOCK_MS = 60_000

/** The lanes of one process. Any number of processes may work on one database. */
export class Workers {
  private readonly engine: Engine
  private readonly log: Log
  private queue: Promise<PgBoss> | undefined
  private readonly waiting = new Map<LaneName, (() => void)[]>()
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
    for (const lane of LANE_NAMES)
      this.waiting.set(lane, await Promise.all(Array.from({ length: LANES[lane].atOnce }, () => this.work(boss, lane))))
    const relay = () => void this.relay().catch((e: unknown) => this.log.error(e))
    this.engine.committed.push((touched) => {
      if (touched.has('outbox')) relay()
      if (touched.has('clock')) void this.tick().catch((e: unknown) => this.log.error(e))
      if (touched.has('job')) for (const lane of LANE_NAMES) this.wake(lane)
    })
    const look = () => {
      relay()
      void this.tick().catch((e: unknown) => this.log.error(e))
    }
    this.timer = setInterval(look, LOOK_SECONDS * 1000)
    this.engine.db.presence.onChange((isAway) => {
      if (isAway || this.isStopping) return
      look()
      for (const lane of LANE_NAMES) this.wake(lane)
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

  /** Does everything that is due, job by job, and resolves when nothing is: for tests, and for commands that end. */
  async drain(): Promise<void> {
    const boss = await this.open()
    for (let found = true; found; ) {
      await this.relay()
      found = false
      for (const lane of LANE_NAMES)
        for (const job of await boss.fetch<AnyJob>(lane, { batchSize: 20 })) {
          found = true
          await this.attempt(boss, lane, job).then(
            () => boss.complete(lane, job),
            (e: Error) => boss.fail(lane, job, e),
          )
        }
    }
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

  private wake(lane: LaneName): void {
    for (const wake of this.waiting.get(lane) ?? []) wake()
  }

  /** Sets a worker to a lane, which looks for another job as soon as it has done one. Gives what wakes it. */
  private async work(boss: PgBoss, lane: LaneName): Promise<() => void> {
    let wake = () => {}
    const id = await boss.work<AnyJob>(lane, { pollingIntervalSeconds: LOOK_SECONDS }, async ([job]) => {
      if (job) await this.attempt(boss, lane, job).finally(() => wake())
    })
    wake = () => boss.notifyWorker(id)
    return wake
  }

  private async attempt(boss: PgBoss, lane: LaneName, job: Job<AnyJob>): Promise<void> {
    const { seconds } = LANES[lane]
    const once = () =>
      patiently({ statement: seconds * 1000, lock: LOCK_MS }, () => perform(this.engine, boss, lane, job))
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
