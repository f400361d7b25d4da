import pg from 'pg'
import { ServerAvailability } from './availability.ts'
import { types } from './columns.ts'
import { Connection } from './connection.ts'
import { type As, bind, type Conn, type Db, isDbError, SESSION, SNAPSHOT } from './db.ts'
import { readerOn } from './inside.ts'
import { listenOn } from './listen.ts'
import { Names } from './names.ts'
import { currentTimeLimits, NO_TIME_LIMITS, setTimeLimitsSql } from './patience.ts'
import { type Opening, Transaction } from './transaction.ts'
import { isLoss, Unavailable } from './unavailable.ts'
import { PREPARE_TENANT } from './usual.ts'

/** Milliseconds between two looks at which connections are silent. */
const WATCH_MS = 250
/** Milliseconds of silence, while an answer is owed, before the database is asked about it. */
const SILENT_MS = 2000
/** Milliseconds that somebody waits for a connection while all are in use. */
const BUSY_MS = 30_000
/** Milliseconds after which a connection that nobody needed goes back to the pool, which ends it later. */
const IDLE_MS = 10_000

interface ConnectionPoolOptions extends Pick<pg.PoolConfig, 'max' | 'types' | 'application_name' | 'pipeline'> {
  /** Statements that each connection begins with. */
  readonly session: string
}

/**
 * The connections of this process to a server. One that breaks fails whoever is using it and is replaced. One that is silent for
 * long is asked about on another connection, and cut where the database knows nothing of it.
 */
class ConnectionPool {
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

/** Seconds that a transaction may be left open without a word. */
const IDLE_SECONDS = 60
/** Seconds that a statement waits for a lock. */
const LOCK_SECONDS = 15
/** Seconds that a statement of the queue of jobs may take: its upkeep too. */
const JOBS_SECONDS = 60

const limits = (statementSeconds: number) =>
  `SET statement_timeout = '${statementSeconds}s'; SET lock_timeout = '${LOCK_SECONDS}s'; SET idle_in_transaction_session_timeout = '${IDLE_SECONDS}s'`

export interface ServerOptions {
  /** Off before there are roles to take on. */
  readonly session?: boolean
  /** Seconds that a statement may take where nobody grants it more (`patiently`); 0 is for ever. */
  readonly statementSeconds?: number
}

/**
 * A PostgreSQL server, 15 or newer. Connections send without waiting for earlier answers, so a transaction's
 * opening travels with its first query and its last write with the commit.
 */
export function openServer(url: string, max: number, options: ServerOptions = {}): Db {
  return openOn(new ServerAvailability(url), url, max, options)
}

function openOn(reach: ServerAvailability, url: string, max: number, options: ServerOptions): Db {
  const { session = true, statementSeconds = 30 } = options
  const names = new Names()
  const time = { ahead: 0 }
  const lines = new ConnectionPool(url, reach, {
    session: `${session ? `${SESSION}; ${PREPARE_TENANT}; ` : ''}${limits(statementSeconds)}`,
    max,
    types,
    pipeline: true,
    application_name: 'stanchion',
  })
  const connOn = (asked: Pick<Transaction, 'ask' | 'arrays'>): Conn => ({
    rows: async (text, values = []) =>
      (await asked.ask((line) => line.run({ text, values: [...values] }))).rows as never,
    arrays: (query, values) => asked.arrays(query, values),
  })
  const aloneOn = (line: Connection): Conn =>
    connOn({
      ask: (send) => line.ask(send),
      arrays: ({ text }, values) => line.ask((one) => one.arrays(text, names.of(text), values)),
    })

  async function transaction<T>(opening: Opening, work: (opened: Transaction) => Promise<T>): Promise<T> {
    const line = await lines.acquire()
    const opened = new Transaction(line, names, opening)
    try {
      const result = await work(opened)
      await opened.end()
      return result
    } catch (e) {
      if (opened.isSent && e instanceof Unavailable) throw new Unavailable(e.cause, true)
      await opened.rollBack()
      throw e
    } finally {
      lines.release(line)
    }
  }
  const patience = (as?: As) => {
    const given = as === 'owner' ? NO_TIME_LIMITS : currentTimeLimits()
    return given ? `; ${setTimeLimitsSql(given)}` : ''
  }
  const openingFor = (as: As): Opening => {
    const granted = patience(as)
    const isTenantOnly = session && typeof as === 'object' && !granted && !time.ahead
    return {
      text: `BEGIN; ${bind(as, time.ahead)}${granted}`,
      tenant: isTenantOnly ? [String(as.clientId), String(as.userId ?? 0)] : undefined,
    }
  }
  const snapshot = <T>(work: (conn: Conn) => Promise<T>): Promise<T> =>
    transaction({ text: `BEGIN ${SNAPSHOT}${patience()}` }, (opened) =>
      work({
        ...connOn(opened),
        copyOut: ({ text }, values, taker) => opened.ask((line) => line.copyOut(text, values, taker)),
      }),
    )

  /** A read stands by itself: where a connection breaks under it and the database is there, it is asked again. */
  async function readOnce<T>(work: (conn: Conn) => Promise<T>, again = true): Promise<T> {
    if (currentTimeLimits()) return snapshot(work)
    const line = await lines.acquire()
    try {
      return await work(aloneOn(line))
    } catch (e) {
      if (!(again && e instanceof Unavailable && (await reach.look()))) throw e
    } finally {
      lines.release(line)
    }
    return readOnce(work, false)
  }

  // Of its own: whoever holds a connection of the pool never waits for another of them.
  let beside: Db | undefined
  let jobs: ConnectionPool | undefined
  const ears = new Set<() => void>()

  return {
    origin: { url },
    presence: reach,
    time,
    read: readerOn({
      rows: (text, values) => readOnce((conn) => conn.rows(text, values)),
      arrays: (query, values) => readOnce((conn) => conn.arrays(query, values)),
    }),
    tx: (as, work) =>
      transaction(openingFor(as), (opened) =>
        work({
          ...connOn(opened),
          before: (query, values) => opened.before(query, values),
          copy: (statement, chunks) => opened.ask((line) => line.copy(statement, chunks)),
          script: async (text) => void (await opened.ask((line) => line.run(text))),
          commitWith: (query, values) => opened.commitWith(query, values),
          apart: (inner) => {
            beside ??= openOn(reach, url, 2, options)
            return beside.tx(as, inner)
          },
        }),
      ),
    snapshot,
    listen: (channel, heard, missed) => {
      const end = listenOn(url, reach, channel, heard, missed)
      ears.add(end)
      return () => {
        ears.delete(end)
        end()
      }
    },
    jobs: {
      executeSql: async (text, values) => {
        jobs ??= new ConnectionPool(url, reach, {
          session: limits(JOBS_SECONDS),
          max: 3,
          application_name: 'stanchion jobs',
        })
        const line = await jobs.acquire()
        try {
          return await line.ask(() => line.run({ text, values }))
        } catch (e) {
          // It may have brought a BEGIN of its own, which would hold whatever is asked next.
          await line.rollBack()
          throw e
        } finally {
          jobs.release(line)
        }
      },
    },
    close: async () => {
      for (const end of ears) end()
      reach.close()
      await Promise.all([beside?.close(), jobs?.close(), lines.close()])
    },
  }
}
