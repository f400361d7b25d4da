import pg from 'pg'
import utils from 'pg/lib/utils.js'
import { serialize } from 'pg-protocol'
import { type Columns, readRow } from './columns.ts'

/** Messages that do a statement without rows, or whose rows nobody reads. */
const doing = (statement: string, values: readonly string[] = []) =>
  Buffer.concat([serialize.bind({ statement, values: [...values] }), serialize.execute()])
const parsed = (text: string) => Buffer.concat([serialize.parse({ text }), doing('')])

const NOTHING = Buffer.alloc(0)
const BEGIN = parsed('BEGIN')
const COMMIT = parsed('COMMIT')
/** It is done: messages up to here are one journey, and one transaction, even without BEGIN. */
const SYNC = serialize.sync()

/** A statement that each connection begins with, so that a tenant is bound without a text: its client and user. */
export const PREPARE_TENANT = `PREPARE tenant (text, text) AS SELECT set_config('role', 'stanchion_tenant', true), set_config('app.client_id', $1, true), set_config('app.user_id', $2, true)`
export type Tenant = readonly [clientId: string, userId: string]

/** What goes with a statement in its journey. */
export interface Along {
  readonly before: Buffer
  /** How many statements are before it. */
  readonly skipped: number
  readonly behind: Buffer
}

const ALONE: Along = { before: NOTHING, skipped: 0, behind: NOTHING }
/** The commit. */
export const COMMITTED: Along = { ...ALONE, behind: COMMIT }
/** The opening of a tenant's transaction. */
export const openedFor = (tenant: Tenant): Along => ({
  before: Buffer.concat([BEGIN, doing('tenant', tenant)]),
  skipped: 2,
  behind: NOTHING,
})
/** All that is to a transaction of one statement. */
export const wholeFor = (tenant: Tenant): Along => ({ before: doing('tenant', tenant), skipped: 1, behind: NOTHING })

/**
 * A statement that its connection has prepared, and whose columns are known: it is not asked again what they are, and its values are
 * one write. Rows come as arrays. Its methods are those that the driver calls with each message of the server.
 */
export class Usual extends pg.Query {
  readonly name: string
  private readonly columns: Columns
  private readonly given: readonly unknown[]
  private readonly along: Along
  private readonly answered: (e: Error | null, rows: unknown[][]) => void
  private readonly found: unknown[][] = []
  private done = 0

  constructor(
    { name, columns }: { readonly name: string; readonly columns: Columns },
    given: readonly unknown[],
    answered: (e: Error | null, rows: unknown[][]) => void,
    along = ALONE,
  ) {
    super('', (e) => answered(e ?? null, []))
    this.name = name
    this.columns = columns
    this.given = given
    this.along = along
    this.answered = answered
  }

  prepare({ stream }: pg.Connection): void {
    const { before, behind } = this.along
    const values = serialize.bind({
      statement: this.name,
      values: [...this.given],
      valueMapper: utils.prepareValue,
    })
    if (stream.writable) stream.write(Buffer.concat([before, values, EXECUTE, behind, SYNC]))
  }

  handleDataRow({ fields }: { readonly fields: (string | null)[] }): void {
    if (this.done === this.along.skipped) this.found.push(readRow(this.columns, fields))
  }

  handleCommandComplete(): void {
    this.done++
  }

  handleReadyForQuery(): void {
    this.answered(null, this.found)
  }
}

const EXECUTE = serialize.execute()
