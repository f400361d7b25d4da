import pg from 'pg'
import utils from 'pg/lib/utils.js'
import { serialize } from 'pg-protocol'
import { type Columns, readRow } from './columns.ts'

/** What follows the values of a statement: do it, and say when it is done. */
const REST = Buffer.concat([serialize.execute(), serialize.sync()])

/**
 * A statement that its connection has prepared, and whose columns are known: it is not asked again what they are, and its values are
 * one write. Rows come as arrays. Its methods are those that the driver calls with each message of the server.
 */
export class Usual extends pg.Query {
  readonly name: string
  private readonly columns: Columns
  private readonly given: readonly unknown[]
  private readonly answered: (e: Error | null, rows: unknown[][]) => void
  private readonly found: unknown[][] = []

  constructor(
    { name, columns }: { readonly name: string; readonly columns: Columns },
    given: readonly unknown[],
    answered: (e: Error | null, rows: unknown[][]) => void,
  ) {
    super('', (e) => answered(e ?? null, []))
    this.name = name
    this.columns = columns
    this.given = given
    this.answered = answered
  }

  prepare({ stream }: pg.Connection): void {
    const values = serialize.bind({
      statement: this.name,
      values: [...this.given],
      valueMapper: utils.prepareValue,
    })
    if (stream.writable) stream.write(Buffer.concat([values, REST]))
  }

  handleDataRow({ fields }: { readonly fields: (string | null)[] }): void {
    this.found.push(readRow(this.columns, fields))
  }

  handleCommandComplete(): void {
    // How many rows there were stands in them.
  }

  handleReadyForQuery(): void {
    this.answered(null, this.found)
  }
}
