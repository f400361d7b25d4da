import pg from 'pg'
import type { ServerAvailability } from './availability.ts'
import { Connection } from './connection.ts'
import { isDbError } from './db.ts'
import { isLoss, Unavailable } from './unavailable.ts'

/** Milliseconds between two looks at which connections are silent. */
const WATCH_MS = 250
/** Milliseconds of silence, while an answer is owed, before the database is asked about it. */
const SILENT_MS = 2000
/** Milliseconds that somebody waits for a connection while all are in use. */
const BUSY_MS = 30_000
/** Milliseconds after which a connection that nobody needed goes back to the pool, which ends it later. */
const IDLE_MS = 10_000

export interface ConnectionPoolOptions extends Pick<pg.PoolConfig, 'max' | 'types' | 'application_name' | 'pipeline'> {
  /** Statements that each connection begins with. */
  readonly session: string
}

/**
 * The connections of this process to a server. One that breaks fails whoever is using it and is replaced. One that is silent for
 * long is asked about on another connection, and cut where the database knows nothing of it.
 */
export class ConnectionPool {
  private readonly pool: pg.Pool
  private readonly reach: ServerAvailability
  private readonly all = new Set<Connection>()
  /** Given back a moment ago, the latest at the end. Taking from the pool costs two timers and two turns more each time. */
  private readonly atHand: Connection[] = []
  private readonly watch: NodeJS.Timeout
  private watchedAt = performance.now()
  private isClosed = false

  constructor(url: string, reach: ServerAvailability, { session, ...options }: ConnectionPoolOptions) {
    const { all } = this
    const lose = (line: Connection) => this.lose(line)
    this.reach = reach
    this.pool = new pg.Pool({
      ...options,
      connectionString: url,
      connectionTimeoutMillis: BUSY_MS,
      keepAlive: true,
      Client: class extends Connection {
        constructor(config?: pg.ClientConfig) {
          super(config)
          all.add(this)
          this.once('end', () => lose(this))
        }
      },
      // Whoever asked for a connection gets it only after this, or its failure.
      onConnect: async (line) => void (await (line as Connection).ask((one) => one.run(session))),
    })
    // An idle connection that the server drops is replaced by the pool; without a listener it would end the process.
    this.pool.on('error', () => void reach.look())
    reach.onChange((isAway) => {
      if (isAway) for (const line of all) line.cut('The database does not answer')
    })
    this.watch = setInterval(() => {
      const now = performance.now()
      for (const line of all) line.look(now)
      this.giveIdleToPool(now)
      void this.doubtSilent(now)
    }, WATCH_MS).unref()
  }

  /** A connection for one's own, to be given back. Throws `Unavailable`. */
  async acquire(): Promise<Connection> {
    this.reach.mustAnswer()
    for (let line = this.atHand.pop(); line; line = this.atHand.pop()) {
      if (!line.lost) return line
      giveToPool(line)
    }
    return this.takeFromPool()
  }

  private takeFromPool(): Promise<Connection> {
    return new Promise((resolve, reject) => {
      let isGone = false
      const settle = this.reach.whenAway(() => {
        isGone = true
        reject(new Unavailable('it does not answer'))
      })
      this.pool.connect().then(
        (line) => {
          settle()
          if (isGone) line.release()
          else resolve(line as pg.PoolClient & Connection)
        },
        (e: unknown) => {
          settle()
          // Who is refused by the server has the wrong address or password.
          if (isDbError(e) && !isLoss(e)) return reject(e)
          reject(new Unavailable(e))
          void this.reach.look()
        },
      )
    })
  }

  release(line: Connection): void {
    if (line.lost) void this.reach.look()
    const isNeeded = this.isClosed || this.pool.waitingCount > 0
    if (line.lost || line.isFull || isNeeded) giveToPool(line)
    else this.atHand.push(line)
  }

  async close(): Promise<void> {
    clearInterval(this.watch)
    this.isClosed = true
    for (const line of this.atHand.splice(0)) giveToPool(line)
    await this.pool.end()
  }

  /** Forgets a connection that has ended. One that nobody was using is noticed by nobody else. */
  private lose(line: Connection): void {
    this.all.delete(line)
    const place = this.atHand.indexOf(line)
    if (place < 0) return
    this.atHand.splice(place, 1)
    giveToPool(line)
    void this.reach.look()
  }

  private giveIdleToPool(now: number): void {
    const idle = this.atHand.findIndex((line) => line.quiet(now) < IDLE_MS)
    for (const line of this.atHand.splice(0, idle < 0 ? this.atHand.length : idle)) giveToPool(line)
  }

  private async doubtSilent(now: number): Promise<void> {
    const wasHeldUp = now - this.watchedAt > 2 * WATCH_MS
    this.watchedAt = now
    // What was answered while this process was busy has not been read yet.
    if (wasHeldUp) return
    const silent = [...this.all].filter((line) => line.silence(now) > Math.max(SILENT_MS, line.doubtAfter))
    if (!silent.length) return
    // One that works for long is asked about ever less often.
    for (const line of silent) line.doubtAfter = 2 * line.silence(now)
    const working = await this.reach.lookFor(silent.flatMap((line) => line.pid ?? []))
    if (working === 'away' || !working) return
    for (const line of silent)
      if (line.doubtAfter > 0 && !working.has(line.pid ?? 0)) line.cut('The database knows nothing of it')
  }
}

/** One that broke, or has kept too much, is ended there. */
const giveToPool = (line: Connection) => (line as Connection & pg.PoolClient).release(line.lost ?? line.isFull)
