import pg from 'pg'
import { serialize } from 'pg-protocol'
import { bindMessage, joined, type Message, written } from './bind.ts'
import { type Columns, readRow } from './columns.ts'

/** Messages that do a statement without rows, or whose rows nobody reads. */
const doing = (statement: string, values: readonly string[] = []) =>
  Buffer.concat([serialize.bind({ statement, values: [...values] }), serialize.execute()])
const parsed = (text: string) => Buffer.concat([serialize.parse({ text }), doing('')])

const NOTHING = Buffer.alloc(0)
const BEGIN = parsed('BEGIN')
const COMMIT = parsed('COMMIT')
/** It is done: messages up to here are one journey, and one transaction, even without BEGIN. */
const SYNC = written(serialize.sync())

/** A statement that each connection begins with, so that a tenant is bound without a text: its client and user. */
export const PREPARE_TENANT = `PREPARE tenant (text, text) AS SELECT set_config('role', 'stanchion_tenant', true), set_config('app.client_id', $1, true), set_config('app.user_id', $2, true)`
export type Tenant = readonly [clientId: string, userId: string]

/** What goes with a statement in its journey. */
export interface Along {
  readonly before: Buffer
  /** How many statements are before it. */
  readonly skipped: number
  readonly behind: Buffer
  /** How many are behind it. */
  readonly following: number
}

const ALONE: Along = { before: NOTHING, skipped: 0, behind: NOTHING, following: 0 }
/** The commit. */
export const COMMITTED: Along = { ...ALONE, behind: COMMIT, following: 1 }
/** The opening of a tenant's transaction. */
export const openedFor = (tenant: Tenant): Along => ({
  ...ALONE,
  before: Buffer.concat([BEGIN, doing('tenant', tenant)]),
  skipped: 2,
})
/** All that is to a transaction of one statement. */
export const wholeFor = (tenant: Tenant): Along => ({ ...ALONE, before: doing('tenant', tenant), skipped: 1 })

/** A statement that its connection has prepared, and whose columns are known: it is not asked again what they are. */
export interface Known {
  readonly name: string
  readonly columns: Columns
}

/** Takes the rows of a statement, or why there are none. */
type Answered = (e: Error | null, rows: unknown[][]) => void

interface Asked {
  readonly columns: Columns
  readonly along: Along
  readonly answered: Answered
  readonly rows: unknown[][]
}

/**
 * Such statements, of one turn of the loop, up to one sync: one write there, and one back. Where one is refused, those behind it are not
 * done, and are refused for the same. Rows come as arrays. Its methods are those that the driver calls with each message of the server.
 */
export class Pipeline extends pg.Query {
  private readonly asked: Asked[] = []
  private readonly messages: Message[] = []
  private stream: pg.Connection['stream'] | undefined
  private refused: Error | undefined
  /** Whose answer is coming, and how much of what goes with it is done. */
  private at = 0
  private done = 0

  constructor() {
    super('', () => {})
  }

  /** Takes a statement along. */
  add({ name, columns }: Known, given: readonly unknown[], along: Along | undefined, answered: Answered): void {
    if (this.refused) {
      answered(this.refused, [])
      return
    }
    const { before, behind } = along ?? ALONE
    this.messages.push(written(before), bindMessage(name, given), EXECUTE, written(behind))
    this.asked.push({ columns, along: along ?? ALONE, answered, rows: [] })
  }

  /** Sends it off. Nothing is added to it from now on. */
  depart(): void {
    if (this.stream?.writable) this.stream.write(joined([...this.messages, SYNC]))
  }

  /** Called by the driver when it is its turn: what is sent behind it now comes behind it. */
  override readonly submit = ({ stream }: pg.Connection): void => {
    this.stream = stream
  }

  handleDataRow({ fields }: { readonly fields: (string | null)[] }): void {
    const asked = this.asked[this.at]
    if (asked && this.done === asked.along.skipped) asked.rows.push(readRow(asked.columns, fields))
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
    // The sync itself may be refused: then the last one is, whose transaction it ends.
    const first = Math.min(this.at, this.asked.length - 1)
    for (const [at, { answered, rows }] of this.asked.entries()) answered(at < first ? null : e, rows)
  }

  handleReadyForQuery(): void {
    for (const { answered, rows } of this.asked) answered(null, rows)
  }
}

const EXECUTE = written(serialize.execute())
