import { PgConnection } from './connection.ts'
import { type DbAvailability, isDbError } from './db.ts'
import { DbUnavailableError, isConnectionLoss, TOO_MANY_CONNECTIONS_SQLSTATE } from './unavailable.ts'

/** Milliseconds between two probes of an unavailable database. */
const LOOK_AGAIN_MS = 300
/** Milliseconds after which a probe times out. */
const CHECK_TIMEOUT_MS = 3000

/** Backend PIDs of the given connections that have a running statement; `undefined` if unknown. */
type Working = ReadonlySet<number> | undefined

const LOOK = `SELECT pg_backend_pid() AS me, pg_is_in_recovery() AS standby,
  ARRAY(SELECT pid FROM pg_stat_activity WHERE pid = ANY($1::int[]) AND datname = current_database()
        AND state IS DISTINCT FROM 'idle' AND state IS DISTINCT FROM 'idle in transaction'
        AND state IS DISTINCT FROM 'idle in transaction (aborted)') AS working`

/**
 * Monitor that probes, over its own connections, whether a database server is reachable. While the server is
 * unreachable, all requests are rejected immediately, and the server is probed until it responds.
 */
export class ServerAvailabilityMonitor implements DbAvailability {
  private readonly url: string
  private readonly listeners = new Set<(isAway: boolean) => void>()
  private readonly looks = new Set<PgConnection>()
  private readonly waiting = new Set<() => void>()
  private search: NodeJS.Timeout | undefined
  private looking: Promise<Working | 'away'> | undefined
  private closed = false
  private answeredAt = 0

  constructor(url: string) {
    this.url = url
  }

  get isAway(): boolean {
    return this.search !== undefined
  }

  onChange(listener: (isAway: boolean) => void): void {
    this.listeners.add(listener)
  }

  /** Throws `DbUnavailableError` while the database is unavailable, and permanently once this monitor is closed. */
  mustAnswer(): void {
    if (this.closed) throw new DbUnavailableError('the process is shutting down')
    if (this.isAway) throw new DbUnavailableError('it does not respond')
  }

  /** Calls `call` once when the database becomes unavailable; the returned function cancels the call. */
  whenAway(call: () => void): () => void {
    this.waiting.add(call)
    return () => this.waiting.delete(call)
  }

  back(withinMs: number): Promise<boolean> {
    if (!this.isAway) return Promise.resolve(!this.closed)
    return new Promise((resolve) => {
      const done = (isBack: boolean) => {
        clearTimeout(timer)
        this.listeners.delete(listener)
        resolve(isBack)
      }
      const listener = () => done(!this.closed)
      const timer = setTimeout(() => done(false), withinMs)
      this.listeners.add(listener)
    })
  }

  /** Probes the database after a failure. Returns true if the database responds. Concurrent callers share a probe. */
  look(): Promise<boolean> {
    this.looking ??= this.lookFor([]).finally(() => {
      this.looking = undefined
    })
    return this.looking.then((found) => found !== 'away')
  }

  /**
   * Probes the database when some connections are silent. Returns those of the given connections that have a running
   * statement, `undefined` if this is not known, or `away` if the database is unavailable.
   */
  async lookFor(pids: readonly number[]): Promise<Working | 'away'> {
    if (this.isAway || this.closed) return 'away'
    const began = performance.now()
    try {
      return await this.ask(pids)
    } catch {
      // The database has responded to another probe since this probe began.
      if (this.answeredAt > began) return undefined
      this.leave()
      return 'away'
    }
  }

  close(): void {
    this.closed = true
    this.arrive()
    for (const line of this.looks) line.cut('The process is shutting down')
  }

  private leave(): void {
    if (this.search || this.closed) return
    // Probes overlap and the first response counts, so that a hanging probe delays nothing.
    this.search = setInterval(() => {
      this.ask([]).then(
        () => this.arrive(),
        () => {},
      )
    }, LOOK_AGAIN_MS)
    for (const call of this.waiting) call()
    this.waiting.clear()
    for (const listener of [...this.listeners]) listener(true)
  }

  private arrive(): void {
    if (!this.search) return
    clearInterval(this.search)
    this.search = undefined
    for (const listener of [...this.listeners]) listener(false)
  }

  /**
   * Probes the server over a new connection. Returns those of the given connections that have a running statement;
   * `undefined` if this is not known. Throws if the server does not respond in time, is starting or stopping, or is a
   * standby.
   */
  private async ask(pids: readonly number[]): Promise<Working> {
    const line = new PgConnection({ connectionString: this.url, application_name: 'stanchion look' })
    this.looks.add(line)
    const late = setTimeout(() => line.cut('The availability check took too long'), CHECK_TIMEOUT_MS)
    try {
      await line.connect()
      const { rows } = await line.query<{ me: number; standby: boolean; working: number[] }>(LOOK, [pids])
      const [found] = rows
      if (!found || found.standby) throw new Error('This server is a standby')
      this.answeredAt = performance.now()
      // Behind a pooler, backend PIDs are the pooler's own.
      return line.pid === found.me ? new Set(found.working) : undefined
    } catch (e) {
      // The server is running but rejects new connections. It may be full, while existing connections still work.
      if (isDbError(e) && (e.code === TOO_MANY_CONNECTIONS_SQLSTATE || !isConnectionLoss(e))) return undefined
      throw e
    } finally {
      clearTimeout(late)
      this.looks.delete(line)
      line.end().catch(() => {})
    }
  }
}
