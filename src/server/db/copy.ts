import pg from 'pg'
import utils from 'pg/lib/utils.js'
import type { RowTaker } from './db.ts'

/** What the driver's connection offers while the server waits for rows; its types leave it out. */
interface Receiving {
  sendCopyFromChunk(chunk: Buffer): void
  sendCopyFail(message: string): void
  endCopyFrom(): void
}

/**
 * Rows on their way by COPY. A query as the driver knows them, since a pipelined connection takes no other: nothing may be sent
 * behind it until it has ended.
 */
class CopyIn extends pg.Query {
  private readonly chunks: Iterable<string>

  constructor(statement: string, chunks: Iterable<string>, ended: (error?: Error) => void) {
    super(statement, ended)
    this.chunks = chunks
  }

  /** Called by the driver when the server is ready for rows. */
  handleCopyInResponse(connection: Receiving): void {
    try {
      for (const chunk of this.chunks) connection.sendCopyFromChunk(Buffer.from(chunk))
      connection.endCopyFrom()
    } catch (e) {
      connection.sendCopyFail(String(e))
    }
  }
}

/** Sends rows, in COPY's text format, to a `COPY … FROM STDIN`. They are held in memory until the server has taken them. */
export const copyIn = (client: pg.ClientBase, statement: string, chunks: Iterable<string>): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query(new CopyIn(statement, chunks, (error) => (error ? reject(error) : resolve())))
  })

/** Rows that come by COPY, a message each. */
class CopyOut extends pg.Query {
  private readonly taker: RowTaker
  private paused: pg.Connection['stream'] | undefined

  constructor(statement: string, taker: RowTaker, ended: (error?: Error) => void) {
    super(statement, (error: Error | undefined) => {
      this.readOn()
      ended(error)
    })
    this.taker = taker
  }

  /** Called by the driver for each row. Of what the socket has given already, rows come though it is paused. */
  handleCopyData({ chunk }: { chunk: Buffer }, { stream }: pg.Connection): void {
    if (this.taker.take(chunk) || this.paused) return
    this.paused = stream.pause()
    this.taker.whenFree(() => this.readOn())
  }

  /** Also when all rows are there: what is asked next on this connection is answered to somebody else, whether this taker is free or not. */
  private readOn(): void {
    this.paused?.resume()
    this.paused = undefined
  }
}

/** What a select finds, as PostgreSQL writes it as CSV. */
export const copyOut = (client: pg.ClientBase, select: string, taker: RowTaker): Promise<void> =>
  new Promise((resolve, reject) => {
    const statement = `COPY (${select}) TO STDOUT (FORMAT csv)`
    client.query(new CopyOut(statement, taker, (error) => (error ? reject(error) : resolve())))
  })

/** A statement with its values written into it, as literals of no type, which is what bound ones are: PostgreSQL finds the type by the place. */
export const withValues = (text: string, values: readonly unknown[]): string =>
  text.replace(/\$(\d+)/g, (place, n: string) => {
    if (Number(n) > values.length) throw new Error(`Nothing is bound to ${place}`)
    const value: unknown = utils.prepareValue(values[Number(n) - 1])
    return value === null ? 'NULL' : pg.escapeLiteral(String(value))
  })
