import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ServerAvailabilityMonitor } from './availability.ts'
import { pgTypeParsers } from './columns.ts'
import { PgConnection } from './connection.ts'
import {
  bindIdentitySql,
  type Db,
  isDbError,
  SESSION_SETUP_SQL,
  SNAPSHOT_MODE,
  type SqlConn,
  type TxIdentity,
} from './db.ts'
import { PREPARE_TENANT_SQL, StatementNames } from './pipeline.ts'
import { currentTimeLimits, NO_TIME_LIMITS, setTimeLimitsSql } from './time-limits.ts'
import { DbTransaction, type TransactionStart } from './transaction.ts'
import { createTxAwareReader } from './tx-reader.ts'
import { DbUnavailableError, isConnectionLoss } from './unavailable.ts'

/** Milliseconds between two checks for silent connections. */
const WATCH_MS = 250
/** Milliseconds of silence, while a response is pending, before the database is probed. */
const SILENT_MS = 2000
/** Milliseconds to wait for a connection while all are in use. */
const BUSY_MS = 30_000
/** Milliseconds after which an unused connection returns to the driver's pool, which closes it later. */
const IDLE_MS = 10_000

interface ConnectionPoolOptions extends Pick<pg.PoolConfig, 'max' | 'types' | 'application_name' | 'pipeline'> {
  /** SQL that each connection runs first. */
  readonly session: string
}

/**
 * Connections from this process to a server. If a connection breaks, its caller gets an error and the connection is
 * replaced. If a connection is silent for long, another connection asks the server whether the silent connection's
 * statement is still running. If not, the silent connection is cut.
 */
class ConnectionPool {
  private readonly pool: pg.Pool
  private readonly reach: ServerAvailabilityMonitor
  private readonly all = new Set<PgConnection>()
  /**
   * Recently released connections, the latest at the end. Taking one from the driver's pool costs two timers and two
   * more event-loop turns.
   */
  private readonly atHand: PgConnection[] = []
  private readonly watch: NodeJS.Timeout
  private watchedAt = performance.now()
  private isClosed = false

  constructor(url: string, reach: ServerAvailabilityMonitor, { session, ...options }: ConnectionPoolOptions) {
    const { all } = this
    const lose = (line: PgConnection) => this.lose(line)
    this.reach = reach
    this.pool = new pg.Pool({
      ...options,
      connectionString: url,
      connectionTimeoutMillis: BUSY_MS,
      keepAlive: true,
      Client: class extends PgConnection {
        constructor(config?: pg.ClientConfig) {
          super(config)
          all.add(this)
          this.once('end', () => lose(this))
        }
      },
      // Callers receive the connection only after this callback has succeeded.
      onConnect: async (line) => void (await (line as PgConnection).ask((one) => one.run(session))),
    })
    // The pool replaces an idle connection that the server has closed; without a handler, the error would end the
    // process.
    this.pool.on('error', () => void reach.look())
    reach.onChange((isAway) => {
      if (isAway) for (const line of all) line.cut('The database does not respond')
    })
    this.watch = setInterval(() => {
      const now = performance.now()
      for (const line of all) line.look(now)
      this.giveIdleToPool(now)
      void this.doubtSilent(now)
    }, WATCH_MS).unref()
  }

  /** Acquires a connection, which the caller must release. Throws `DbUnavailableError`. */
  async acquire(): Promise<PgConnection> {
    this.reach.mustAnswer()
    for (let line = this.atHand.pop(); line; line = this.atHand.pop()) {
      if (!line.lost) return line
      giveToPool(line)
    }
    return this.takeFromPool()
  }

  private takeFromPool(): Promise<PgConnection> {
    return new Promise((resolve, reject) => {
      let isGone = false
      const settle = this.reach.whenAway(() => {
        isGone = true
        reject(new DbUnavailableError('it does not respond'))
      })
      this.pool.connect().then(
        (line) => {
          settle()
          if (isGone) line.release()
          else resolve(line as pg.PoolClient & PgConnection)
        },
        (e: unknown) => {
          settle()
          // A rejected login means that the URL or password is wrong.
          if (isDbError(e) && !isConnectionLoss(e)) return reject(e)
          reject(new DbUnavailableError(e))
          void this.reach.look()
        },
      )
    })
  }

  release(line: PgConnection): void {
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

  /** Removes a connection that has ended, because nothing else notices when an unused connection ends. */
  private lose(line: PgConnection): void {
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
    // Responses that arrived while this process was busy have not been read yet, so a connection may only seem silent.
    if (wasHeldUp) return
    const silent = [...this.all].filter((line) => line.silence(now) > Math.max(SILENT_MS, line.doubtAfter))
    if (!silent.length) return
    // Connections with a long-running statement are checked less and less often.
    for (const line of silent) line.doubtAfter = 2 * line.silence(now)
    const working = await this.reach.lookFor(silent.flatMap((line) => line.pid ?? []))
    if (working === 'away' || !working) return
    const suspects = silent.filter((line) => !working.has(line.pid ?? 0))
    // The last response of a statement that ended during the probe may still be on its way.
    if (suspects.length) await sleep(WATCH_MS)
    for (const line of suspects) {
      line.look(performance.now())
      if (line.silence(performance.now()) > SILENT_MS) line.cut('The database is not working on this connection')
    }
  }
}

/** Returns a connection to the pool, which closes it if it is broken or has too many prepared statements. */
const giveToPool = (line: PgConnection) => (line as PgConnection & pg.PoolClient).release(line.lost ?? line.isFull)

/** Seconds for which an open transaction may be idle. */
const IDLE_SECONDS = 60
/** Maximum seconds that a statement waits for a lock. */
const LOCK_SECONDS = 15
/** Maximum seconds for a job queue statement, including maintenance. */
const JOBS_SECONDS = 60

const limits = (statementSeconds: number) =>
  `SET statement_timeout = '${statementSeconds}s'; SET lock_timeout = '${LOCK_SECONDS}s'; SET idle_in_transaction_session_timeout = '${IDLE_SECONDS}s'`

export interface DbServerOptions {
  /** True if connections run `SESSION_SETUP_SQL`; must be false until the roles exist. */
  readonly session?: boolean
  /** Maximum seconds for a statement outside `withTimeLimits`; 0 for no limit. */
  readonly statementSeconds?: number
}

/**
 * Connects to a PostgreSQL server, version 15 or newer. Connections are pipelined: the SQL that opens a transaction is
 * sent with the transaction's first query, and the last write with the commit.
 */
export function connectToDbServer(url: string, max: number, options: DbServerOptions = {}): Db {
  return openOn(new ServerAvailabilityMonitor(url), url, max, options)
}

function openOn(reach: ServerAvailabilityMonitor, url: string, max: number, options: DbServerOptions): Db {
  const { session = true, statementSeconds = 30 } = options
  const names = new StatementNames()
  const time = { ahead: 0 }
  const lines = new ConnectionPool(url, reach, {
    session: `${session ? `${SESSION_SETUP_SQL}; ${PREPARE_TENANT_SQL}; ` : ''}${limits(statementSeconds)}`,
    max,
    types: pgTypeParsers,
    pipeline: true,
    application_name: 'stanchion',
  })
  // Statements with bound values can be prepared; without them, `text` may contain several statements.
  const connOn = (asked: Pick<DbTransaction, 'ask' | 'arrays'>, prepares = false): SqlConn => ({
    rows: async (text, values = []) => {
      const statement = prepares && values.length ? names.of(text) : undefined
      return (await asked.ask((line) => line.objects(text, statement, values))) as never
    },
    arrays: (query, values) => asked.arrays(query, values),
  })
  const aloneOn = (line: PgConnection): SqlConn =>
    connOn({
      ask: (send) => line.ask(send),
      arrays: ({ text }, values) => line.ask((one) => one.arrays(text, names.of(text), values)),
    })

  async function transaction<T>(opening: TransactionStart, work: (opened: DbTransaction) => Promise<T>): Promise<T> {
    const line = await lines.acquire()
    const opened = new DbTransaction(line, names, opening)
    try {
      const result = await work(opened)
      await opened.end()
      return result
    } catch (e) {
      if (opened.isSent && e instanceof DbUnavailableError) throw new DbUnavailableError(e.cause, true)
      await opened.rollBack()
      throw e
    } finally {
      lines.release(line)
    }
  }
  const patience = (as?: TxIdentity) => {
    const given = as === 'owner' ? NO_TIME_LIMITS : currentTimeLimits()
    return given ? `; ${setTimeLimitsSql(given)}` : ''
  }
  const openingFor = (as: TxIdentity): TransactionStart => {
    const granted = patience(as)
    const isTenantOnly = session && typeof as === 'object' && !granted && !time.ahead
    return {
      text: `BEGIN; ${bindIdentitySql(as, time.ahead)}${granted}`,
      tenant: isTenantOnly ? [String(as.clientId), String(as.userId ?? 0)] : undefined,
    }
  }
  const snapshot = <T>(work: (conn: SqlConn) => Promise<T>): Promise<T> =>
    transaction({ text: `BEGIN ${SNAPSHOT_MODE}${patience()}` }, (opened) =>
      work({
        ...connOn(opened),
        copyOut: ({ text }, values, taker) => opened.ask((line) => line.copyOut(text, values, taker)),
      }),
    )

  /**
   * Runs a read, and repeats it once if its connection breaks while the database is available. Repeating is safe
   * because a read is independent of other statements.
   */
  async function readOnce<T>(work: (conn: SqlConn) => Promise<T>, again = true): Promise<T> {
    if (currentTimeLimits()) return snapshot(work)
    const line = await lines.acquire()
    try {
      return await work(aloneOn(line))
    } catch (e) {
      if (!(again && e instanceof DbUnavailableError && (await reach.look()))) throw e
    } finally {
      lines.release(line)
    }
    return readOnce(work, false)
  }

  // Separate pool, so that the holder of a pooled connection never waits for a second one.
  let beside: Db | undefined
  let jobs: ConnectionPool | undefined
  const ears = new Set<() => void>()

  return {
    origin: { url },
    presence: reach,
    time,
    read: createTxAwareReader({
      rows: (text, values) => readOnce((conn) => conn.rows(text, values)),
      arrays: (query, values) => readOnce((conn) => conn.arrays(query, values)),
    }),
    tx: (as, work) =>
      transaction(openingFor(as), (opened) =>
        work({
          // Migrations change tables, after which a prepared statement may fail.
          ...connOn(opened, as !== 'owner'),
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
      const end = listenToChannel(url, reach, channel, heard, missed)
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
          // The statements may have included a BEGIN, which would affect later statements on this connection.
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

/** Shortest and longest wait in milliseconds before a broken connection is replaced. */
const [SOON_MS, LATE_MS] = [500, 30_000]

/**
 * Listens on a separate connection, which is replaced when it breaks. Receives nothing behind a pooler that shares
 * connections.
 */
function listenToChannel(
  url: string,
  reach: ServerAvailabilityMonitor,
  channel: string,
  heard: (told: string) => void,
  missed: () => void,
): () => void {
  let line: PgConnection | undefined
  let isOver = false
  let wait = SOON_MS
  let timer: NodeJS.Timeout | undefined
  const again = () => {
    if (isOver) return
    timer = setTimeout(() => void open(), wait).unref()
    wait = Math.min(2 * wait, LATE_MS)
  }
  const open = async () => {
    const one = new PgConnection({ connectionString: url, keepAlive: true, application_name: 'stanchion listens' })
    line = one
    one.on('notification', ({ payload }) => heard(payload ?? ''))
    one.once('end', again)
    try {
      await one.connect()
      await one.ask((asked) => asked.run(`LISTEN ${channel}`))
      wait = SOON_MS
      if (!isOver) missed()
    } catch {
      one.cut('The channel could not be opened')
    }
    if (isOver) one.cut('The subscription has ended')
  }
  reach.onChange((isAway) => {
    if (isAway) line?.cut('The database does not respond')
  })
  void open()
  return () => {
    isOver = true
    clearTimeout(timer)
    line?.cut('The subscription has ended')
  }
}
