import pg from 'pg'
import { isLoss, Unavailable } from './unavailable.ts'

/** Statements that a connection may have prepared before it makes room for a fresh one: PostgreSQL keeps each until it ends. */
const PREPARED_MOST = 250

/** A connection to PostgreSQL that may break at any moment, and says so to whoever asked. */
export class Line extends pg.Client {
  /** Why it broke. */
  lost: Error | undefined
  /** Milliseconds of silence, while an answer is owed, after which it is doubted. */
  doubtAfter = 0
  private owed = 1
  private isHeld = false
  private heardAt = performance.now()
  private readonly prepared = new Set<string>()

  constructor(config?: pg.ClientConfig) {
    super(config)
    // Without a listener, an error on a connection that is in use would end the process.
    this.on('error', (e) => {
      this.lost ??= e
    })
    this.once('connect', () => this.hear())
  }

  /** Sends a statement. Throws `Unavailable` where it is the connection that failed. */
  ask<T>(send: (line: this) => Promise<T>): Promise<T> {
    const answer = this.awaitAnswer(send)
    this.sendHeld()
    return answer
  }

  /**
   * The same of one that another follows in this turn: a transaction's opening and its first statement, or its last one and the
   * commit, go out as one write, since each costs a system call.
   */
  askFirst<T>(send: (line: this) => Promise<T>): Promise<T> {
    this.hold()
    return this.awaitAnswer(send)
  }

  private async awaitAnswer<T>(send: (line: this) => Promise<T>): Promise<T> {
    if (this.owed++ === 0) this.heardAt = performance.now()
    try {
      return await send(this)
    } catch (e) {
      throw this.lost || isLoss(e) ? new Unavailable(e) : e
    } finally {
      this.hear()
    }
  }

  /** What the server calls it. */
  get pid(): number | undefined {
    return 'processID' in this && typeof this.processID === 'number' ? this.processID : undefined
  }

  /** Milliseconds that an answer has been owed without a word; 0 where none is. */
  get silence(): number {
    return this.owed > 0 ? this.quiet : 0
  }

  /** Milliseconds since the server was last heard, or something was asked of it. */
  get quiet(): number {
    return performance.now() - this.heardAt
  }

  /** Breaks it off: what is still owed an answer fails. */
  cut(why: string): void {
    this.lost ??= new Error(why)
    this.connection.stream.destroy(this.lost)
  }

  /** Notes that a statement is prepared here under a name. */
  keep(name: string | undefined): void {
    if (name) this.prepared.add(name)
  }

  /** Has it kept so many statements that it should be replaced? */
  get isFull(): boolean {
    return this.prepared.size > PREPARED_MOST
  }

  /** Holds back what is sent, to the end of this turn at the longest. */
  private hold(): void {
    if (this.isHeld) return
    this.isHeld = true
    this.connection.stream.cork()
    process.nextTick(() => this.sendHeld())
  }

  /** Sends what was held back. */
  private sendHeld(): void {
    if (!this.isHeld) return
    this.isHeld = false
    this.connection.stream.uncork()
  }

  private hear(): void {
    this.owed--
    this.heardAt = performance.now()
    this.doubtAfter = 0
  }
}
