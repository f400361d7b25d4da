import pg from 'pg'
import { columnsOf } from './columns.ts'
import { copyIn, copyOut, withValues } from './copy.ts'
import type { RowTaker } from './db.ts'
import type { Statement } from './names.ts'
import { isLoss, Unavailable } from './unavailable.ts'
import { type Along, type Known, Pipeline } from './usual.ts'

/** Statements that a connection may have prepared before it makes room for a fresh one: PostgreSQL keeps each until it ends. */
const PREPARED_MOST = 250

/** A connection to PostgreSQL that may break at any moment, and says so to whoever asked. */
export class Connection extends pg.Client {
  /** Why it broke. */
  lost: Error | undefined
  /** Milliseconds of silence, while an answer is owed, after which it is doubted. */
  doubtAfter = 0
  private owed = 1
  private isHeld = false
  /** How often something was asked that nothing else was waiting for, or answered; as far as it has been looked at; and when that was. */
  private signs = 0
  private signsSeen = 0
  private seenAt = performance.now()
  private readonly prepared = new Set<string>()
  /** What of this turn can still take statements along. */
  private journey: Pipeline | undefined

  constructor(config?: pg.ClientConfig) {
    super(config)
    // Without a listener, an error on a connection that is in use would end the process.
    this.on('error', (e) => {
      this.lost ??= e
    })
    this.once('connect', () => this.hear())
  }

  /**
   * Sends a statement. Throws `Unavailable` where it is the connection that failed. Those of one turn go out as one write, since each
   * costs a system call.
   */
  ask<T>(send: (line: this) => Promise<T>): Promise<T> {
    this.hold()
    return this.awaitAnswer(send)
  }

  /**
   * A statement and its answer, for `ask`. Taken by a callback: bound to the driver's own promise, the last answer of each connection
   * would outlive its use, and be copied by each collection of young memory.
   */
  run(query: string | pg.QueryConfig): Promise<pg.QueryResult> {
    this.depart()
    return new Promise((resolve, reject) => {
      this.query(query, (e: Error | null, answer) => (e ? reject(e) : resolve(answer)))
    })
  }

  /** Rows in COPY's text format, for `ask`. */
  copy(statement: string, chunks: Iterable<string>): Promise<void> {
    this.depart()
    return copyIn(this, statement, chunks)
  }

  /** What a select finds, as CSV, for `ask`. */
  copyOut(select: string, values: readonly unknown[], taker: RowTaker): Promise<void> {
    this.depart()
    return copyOut(this, withValues(select, values), taker)
  }

  /** The rows of a statement as arrays, for `ask`: of one that is usual under its name. */
  arrays(text: string, statement: Statement | undefined, values: readonly unknown[]): Promise<unknown[][]> {
    if (this.knows(statement)) return this.usual(statement, values)
    this.depart()
    return new Promise((resolve, reject) => {
      const { name } = statement ?? {}
      const asked = { text, values: [...values], rowMode: 'array' as const, ...(name ? { name } : {}) }
      this.query(asked, (e: Error | null, answer) => {
        if (e) return reject(e)
        if (statement) {
          this.prepared.add(statement.name)
          statement.columns ??= columnsOf(answer.fields)
        }
        resolve(answer.rows)
      })
    })
  }

  /** Is it prepared here, and known what it gives? */
  knows(statement: Statement | undefined): statement is Statement & Known {
    return statement?.columns !== undefined && this.prepared.has(statement.name)
  }

  /** The rows of such a statement, for `ask`, with what goes with it: in one journey with those before and behind it. */
  usual(statement: Known, values: readonly unknown[], along?: Along): Promise<unknown[][]> {
    return new Promise((resolve, reject) => {
      const journey = this.journey ?? new Pipeline()
      journey.add(statement, values, along, (e, rows) => (e ? reject(e) : resolve(rows)))
      if (journey === this.journey) return
      this.journey = journey
      this.query(journey)
    })
  }

  /** Sends off what has been taken along: whatever is sent next goes behind it. */
  private depart(): void {
    this.journey?.depart()
    this.journey = undefined
  }

  private async awaitAnswer<T>(send: (line: this) => Promise<T>): Promise<T> {
    if (this.owed++ === 0) this.signs++
    try {
      return await send(this)
    } catch (e) {
      // Where it was asked, not where the answer was read.
      if (e instanceof Error) Error.captureStackTrace(e)
      throw this.lost || isLoss(e) ? new Unavailable(e) : e
    } finally {
      this.hear()
    }
  }

  /** Undoes what is open. A connection that can't be rolled back is broken, and so is not used again. */
  async rollBack(): Promise<void> {
    if (!this.lost) await this.ask((line) => line.run('ROLLBACK')).catch((broken: Error) => this.cut(broken.message))
  }

  /** What the server calls it. */
  get pid(): number | undefined {
    return 'processID' in this && typeof this.processID === 'number' ? this.processID : undefined
  }

  /** Notes whether there was a sign since it was last looked: who reads the clock now and then spares each statement from it. */
  look(now: number): void {
    if (this.signs === this.signsSeen) return
    this.signsSeen = this.signs
    this.seenAt = now
  }

  /** Milliseconds that an answer has been owed without a sign, as far as it was looked at; 0 where none is. */
  silence(now: number): number {
    return this.owed > 0 ? this.quiet(now) : 0
  }

  /** Milliseconds since the last look that saw a sign. */
  quiet(now: number): number {
    return now - this.seenAt
  }

  /** Breaks it off: what is still owed an answer fails. */
  cut(why: string): void {
    this.lost ??= new Error(why)
    this.connection.stream.destroy(this.lost)
  }

  /** Has it kept so many statements that it should be replaced? */
  get isFull(): boolean {
    return this.prepared.size > PREPARED_MOST
  }

  /** Holds back what is sent, to the end of this turn. */
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
