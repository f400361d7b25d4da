import type { Socket } from 'node:net'
import pg from 'pg'
import { columnParsersOf } from './columns.ts'
import { copyIn, copyOut, inlineValues } from './copy.ts'
import type { RowSink } from './db.ts'
import type { FrequentStatement } from './pipeline.ts'
import { type AccompanyingMessages, type DescribedStatement, StatementPipeline } from './pipeline.ts'
import { DbUnavailableError, isConnectionLoss } from './unavailable.ts'

/**
 * Number of prepared statements above which a connection is replaced, because PostgreSQL keeps them until the
 * connection ends.
 */
const PREPARED_MOST = 250

/** A connection to PostgreSQL. If it breaks, all pending requests fail with `DbUnavailableError`. */
export class PgConnection extends pg.Client {
  /** Error that broke the connection. */
  lost: Error | undefined
  /** Milliseconds without a sign of life, while a response is pending, after which the connection is suspect. */
  doubtAfter = 0
  private owed = 1
  private isHeld = false
  /**
   * Number of signs of life so far, and at the last check. A sign of life is a byte received, a response, or a request
   * sent while none was pending. `seenAt`: time of the last check that found a new sign of life.
   */
  private signs = 0
  private signsSeen = 0
  private seenAt = performance.now()
  private readonly prepared = new Set<string>()
  /** Pipeline of this event-loop turn, as long as the pipeline still accepts statements. */
  private journey: StatementPipeline | undefined

  constructor(config?: pg.ClientConfig) {
    super(config)
    // Without a handler, an error on a connection in use would end the process.
    this.on('error', (e) => {
      this.lost ??= e
    })
    this.once('connect', () => this.hear())
  }

  /**
   * Sends a statement. Throws `DbUnavailableError` if the connection failed. Statements from the same event-loop turn
   * are sent in one write, because each write costs a system call.
   */
  ask<T>(send: (line: this) => Promise<T>): Promise<T> {
    this.hold()
    return this.awaitAnswer(send)
  }

  /**
   * Runs a statement. Called through `ask`. Uses a callback, because with the driver's own promise the last result on
   * each connection would outlive its use and be copied by every young-generation garbage collection.
   */
  run(query: string | pg.QueryConfig): Promise<pg.QueryResult> {
    this.depart()
    return new Promise((resolve, reject) => {
      this.query(query, (e: Error | null, answer) => (e ? reject(e) : resolve(answer)))
    })
  }

  /**
   * Runs hand-written SQL, and returns rows as objects. Called through `ask`. A statement with a name is prepared by it.
   */
  async objects(
    text: string,
    statement: FrequentStatement | undefined,
    values: readonly unknown[],
  ): Promise<Record<string, unknown>[]> {
    const { rows } = await this.run({ text, values: [...values], ...(statement ? { name: statement.name } : {}) })
    if (statement) this.prepared.add(statement.name)
    return rows
  }

  /** Sends rows in COPY's text format. Called through `ask`. */
  copy(statement: string, chunks: Iterable<string>): Promise<void> {
    this.depart()
    return copyIn(this, statement, chunks)
  }

  /** Writes the result of a select to `taker` as CSV. Called through `ask`. */
  copyOut(select: string, values: readonly unknown[], taker: RowSink): Promise<void> {
    this.depart()
    return copyOut(this, inlineValues(select, values), taker)
  }

  /**
   * Runs a statement and returns rows as arrays. Called through `ask`. Statements in frequent use are prepared by name.
   */
  arrays(text: string, statement: FrequentStatement | undefined, values: readonly unknown[]): Promise<unknown[][]> {
    if (this.knows(statement)) return this.usual(statement, values)
    this.depart()
    return new Promise((resolve, reject) => {
      const { name } = statement ?? {}
      const asked = { text, values: [...values], rowMode: 'array' as const, ...(name ? { name } : {}) }
      this.query(asked, (e: Error | null, answer) => {
        if (e) return reject(e)
        if (statement) {
          this.prepared.add(statement.name)
          statement.columns ??= columnParsersOf(answer.fields)
        }
        resolve(answer.rows)
      })
    })
  }

  /** True if the statement is prepared on this connection and its columns are known. */
  knows(statement: FrequentStatement | undefined): statement is FrequentStatement & DescribedStatement {
    return statement?.columns !== undefined && this.prepared.has(statement.name)
  }

  /** Runs a prepared statement, pipelined with the statements before and after it. Called through `ask`. */
  usual(statement: DescribedStatement, values: readonly unknown[], along?: AccompanyingMessages): Promise<unknown[][]> {
    return new Promise((resolve, reject) => {
      const journey = this.journey ?? new StatementPipeline()
      journey.add(statement, values, along, (e, rows) => (e ? reject(e) : resolve(rows)))
      if (journey === this.journey) return
      this.journey = journey
      this.query(journey)
    })
  }

  /** Sends the pipelined statements, so that anything sent next follows them. */
  private depart(): void {
    this.journey?.depart()
    this.journey = undefined
  }

  private async awaitAnswer<T>(send: (line: this) => Promise<T>): Promise<T> {
    if (this.owed++ === 0) this.signs++
    try {
      return await send(this)
    } catch (e) {
      // Makes the stack trace show where the statement was sent, not where the response was read.
      if (e instanceof Error) Error.captureStackTrace(e)
      throw this.lost || isConnectionLoss(e) ? new DbUnavailableError(e) : e
    } finally {
      this.hear()
    }
  }

  /** Rolls back an open transaction. If that fails, the connection is broken and not reused. */
  async rollBack(): Promise<void> {
    if (!this.lost) await this.ask((line) => line.run('ROLLBACK')).catch((broken: Error) => this.cut(broken.message))
  }

  /** Backend PID of the connection. */
  get pid(): number | undefined {
    return 'processID' in this && typeof this.processID === 'number' ? this.processID : undefined
  }

  /**
   * Checks for signs of life since the last check. Only this method reads the clock, so that statements need not read
   * it.
   */
  look(now: number): void {
    const signs = this.signs + (this.connection.stream as Socket).bytesRead
    if (signs === this.signsSeen) return
    this.signsSeen = signs
    this.seenAt = now
  }

  /**
   * Returns the milliseconds for which a response has been pending without a sign of life, as of the last check; 0 if
   * no response is pending.
   */
  silence(now: number): number {
    return this.owed > 0 ? this.quiet(now) : 0
  }

  /** Returns the milliseconds since the last check that found a sign of life. */
  quiet(now: number): number {
    return now - this.seenAt
  }

  /** Breaks the connection, so that pending requests fail. */
  cut(why: string): void {
    this.lost ??= new Error(why)
    this.connection.stream.destroy(this.lost)
  }

  /** True if the connection has so many prepared statements that it should be replaced. */
  get isFull(): boolean {
    return this.prepared.size > PREPARED_MOST
  }

  /** Buffers writes until the end of this event-loop turn. */
  private hold(): void {
    if (this.isHeld) return
    this.isHeld = true
    this.connection.stream.cork()
    process.nextTick(() => {
      this.isHeld = false
      this.depart()
      this.connection.stream.uncork()
    })
  }

  private hear(): void {
    this.owed--
    this.signs++
    this.doubtAfter = 0
  }
}
