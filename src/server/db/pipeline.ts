import pg from 'pg'
import { serialize } from 'pg-protocol'
import { createBindMessage, joinMessages, messageFromBytes, type ProtocolMessage } from './bind.ts'
import { type ColumnParsers, parseRow } from './columns.ts'

/** Number of uses after which a statement gets a name. */
const USUAL = 3
/** Maximum statements that have a name at the same time. */
const NAMED_MOST = 200
/** Maximum unnamed statements whose uses are counted. */
const REMEMBERED = 500
/**
 * Maximum characters of a named statement. Longer statements are used only once, such as a statement for an order with
 * all its lines.
 */
const MAX_STATEMENT_CHARACTERS = 20_000

/**
 * Names for frequent statements. PostgreSQL stores a named statement on each connection, and this process stores its
 * text, so query shapes composed by callers must not accumulate in either place. Recently used statements keep their
 * names; a statement that has lost its name gets a new one.
 */
export class StatementNames {
  private readonly uses = new Map<string, number>()
  private readonly names = new Map<string, NamedStatement>()
  private made = 0

  /**
   * Returns a statement with its name; `undefined` if the statement is not frequent. Records one use of the statement.
   */
  of(text: string): FrequentStatement | undefined {
    const known = this.names.get(text)
    if (known) {
      known.isUsed = true
      return known
    }
    if (text.length > MAX_STATEMENT_CHARACTERS) return undefined
    const uses = (this.uses.get(text) ?? 0) + 1
    this.uses.delete(text)
    if (uses >= USUAL) return this.give(text)
    if (this.uses.size >= REMEMBERED) this.uses.delete(this.uses.keys().next().value as string)
    this.uses.set(text, uses)
    return undefined
  }

  /** Number of known statements, named or counted. */
  get size(): number {
    return this.names.size + this.uses.size
  }

  /**
   * Assigns a new name to a statement. If all names are assigned, the oldest is removed; statements used since the last
   * check are spared once.
   */
  private give(text: string): FrequentStatement {
    while (this.names.size >= NAMED_MOST) {
      const [first, named] = this.names.entries().next().value as [string, NamedStatement]
      this.names.delete(first)
      if (!named.isUsed) continue
      named.isUsed = false
      this.names.set(first, named)
    }
    const named = { name: `s${++this.made}`, isUsed: false }
    this.names.set(text, named)
    return named
  }
}

export interface FrequentStatement {
  readonly name: string
  /** Column parsers, set once the server has described the result. They are the same for all connections. */
  columns?: ColumnParsers
}

interface NamedStatement extends FrequentStatement {
  /**
   * True if the statement has been used since the last check for a name to remove. Reordering the statements at every
   * use would be slower.
   */
  isUsed: boolean
}

/** Returns the messages that run a statement that returns no rows, or whose rows are ignored. */
const doing = (statement: string, values: readonly string[] = []) =>
  Buffer.concat([serialize.bind({ statement, values: [...values] }), serialize.execute()])
const parsed = (text: string) => Buffer.concat([serialize.parse({ text }), doing('')])

const NOTHING = Buffer.alloc(0)
const BEGIN = parsed('BEGIN')
const COMMIT = parsed('COMMIT')
/** Sync message: everything before it is one round trip and one transaction, even without BEGIN. */
const SYNC = messageFromBytes(serialize.sync())

/** SQL that each connection runs when it opens, so that binding a tenant (client and user) later needs no SQL text. */
export const PREPARE_TENANT_SQL = `PREPARE tenant (text, text) AS SELECT set_config('role', 'stanchion_tenant', true), set_config('app.client_id', $1, true), set_config('app.user_id', $2, true)`
export type BoundTenant = readonly [clientId: string, userId: string]

/** Messages sent with a statement in the same round trip. */
export interface AccompanyingMessages {
  readonly before: Buffer
  /** Number of statements in `before`. */
  readonly skipped: number
  readonly behind: Buffer
  /** Number of statements in `behind`. */
  readonly following: number
}

const ALONE: AccompanyingMessages = { before: NOTHING, skipped: 0, behind: NOTHING, following: 0 }
/** Messages that commit after a statement. */
export const WITH_COMMIT: AccompanyingMessages = { ...ALONE, behind: COMMIT, following: 1 }
/** Returns the messages that open a tenant's transaction before a statement. */
export const withBeginAndTenant = (tenant: BoundTenant): AccompanyingMessages => ({
  ...ALONE,
  before: Buffer.concat([BEGIN, doing('tenant', tenant)]),
  skipped: 2,
})
/** Returns the message that binds the tenant for a transaction of one statement, which needs no BEGIN and COMMIT. */
export const withTenantBinding = (tenant: BoundTenant): AccompanyingMessages => ({
  ...ALONE,
  before: doing('tenant', tenant),
  skipped: 1,
})

/** A statement prepared on its connection, whose columns are known and need not be described again. */
export interface DescribedStatement {
  readonly name: string
  readonly columns: ColumnParsers
}

/** Callback that receives the rows of a statement, or its error. */
type Answered = (e: Error | null, rows: unknown[][]) => void

interface PendingQuery {
  readonly columns: ColumnParsers
  readonly along: AccompanyingMessages
  readonly answered: Answered
  readonly rows: unknown[][]
}

/**
 * Pipeline of one event-loop turn's prepared statements, up to one sync: one write, one response. If a statement fails,
 * those after it are not run and fail with the same error. Rows are arrays. The driver calls this query's methods with
 * each message from the server.
 */
export class StatementPipeline extends pg.Query {
  private readonly asked: PendingQuery[] = []
  private readonly messages: ProtocolMessage[] = []
  private stream: pg.Connection['stream'] | undefined
  private refused: Error | undefined
  /** The statement whose response is arriving, and how many of its accompanying statements are complete. */
  private at = 0
  private done = 0

  constructor() {
    super('', () => {})
  }

  add(
    { name, columns }: DescribedStatement,
    given: readonly unknown[],
    along: AccompanyingMessages | undefined,
    answered: Answered,
  ): void {
    if (this.refused) {
      answered(this.refused, [])
      return
    }
    const { before, behind } = along ?? ALONE
    this.messages.push(messageFromBytes(before), createBindMessage(name, given), EXECUTE, messageFromBytes(behind))
    this.asked.push({ columns, along: along ?? ALONE, answered, rows: [] })
  }

  /** Sends the statements. No statement can be added afterwards. */
  depart(): void {
    if (this.stream?.writable) this.stream.write(joinMessages([...this.messages, SYNC]))
  }

  /** Called by the driver when its queue reaches this query. Anything sent from now on follows this query. */
  override readonly submit = ({ stream }: pg.Connection): void => {
    this.stream = stream
  }

  handleDataRow({ fields }: { readonly fields: (string | null)[] }): void {
    const asked = this.asked[this.at]
    if (asked && this.done === asked.along.skipped) asked.rows.push(parseRow(asked.columns, fields))
  }

  handleCommandComplete(): void {
    this.done++
    const along = this.asked[this.at]?.along
    if (!along || this.done <= along.skipped + along.following) return
    this.at++
    this.done = 0
  }

  handleError(e: Error): void {
    this.refused = e
    // If the sync itself fails, the last statement fails, because the sync would have committed that statement's
    // transaction.
    const first = Math.min(this.at, this.asked.length - 1)
    for (const [at, { answered, rows }] of this.asked.entries()) answered(at < first ? null : e, rows)
  }

  handleReadyForQuery(): void {
    for (const { answered, rows } of this.asked) answered(null, rows)
  }
}

const EXECUTE = messageFromBytes(serialize.execute())
