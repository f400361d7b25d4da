import pg from 'pg'
import utils from 'pg/lib/utils.js'
import type { RowSink } from './db.ts'

/** Methods of the driver's connection for sending rows by COPY, which the driver's types omit. */
interface Receiving {
  sendCopyFromChunk(chunk: Buffer): void
  sendCopyFail(message: string): void
  endCopyFrom(): void
}

/**
 * Sends rows by COPY. Implemented as a driver query, because a pipelined connection accepts only queries, and nothing
 * else may be sent until the COPY has ended.
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

/**
 * Sends rows, in COPY's text format, to a `COPY … FROM STDIN`. The rows stay in memory until the server has received
 * them.
 */
export const copyIn = (client: pg.ClientBase, statement: string, chunks: Iterable<string>): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query(new CopyIn(statement, chunks, (error) => (error ? reject(error) : resolve())))
  })

/** Receives rows by COPY, one message per row. */
class CopyOut extends pg.Query {
  private readonly taker: RowSink
  private paused: pg.Connection['stream'] | undefined

  constructor(statement: string, taker: RowSink, ended: (error?: Error) => void) {
    super(statement, (error: Error | undefined) => {
      this.readOn()
      ended(error)
    })
    this.taker = taker
  }

  /** Called by the driver for each row. Rows already received by the socket still arrive after the stream is paused. */
  handleCopyData({ chunk }: { chunk: Buffer }, { stream }: pg.Connection): void {
    if (this.taker.take(chunk) || this.paused) return
    this.paused = stream.pause()
    this.taker.whenFree(() => this.readOn())
  }

  /**
   * Also resumes after the last row, even if this taker can't accept more rows, because the next response on this
   * connection belongs to another caller.
   */
  private readOn(): void {
    this.paused?.resume()
    this.paused = undefined
  }
}

/** Writes the result of a select to `taker` as CSV, formatted by PostgreSQL. */
export const copyOut = (client: pg.ClientBase, select: string, taker: RowSink): Promise<void> =>
  new Promise((resolve, reject) => {
    const statement = `COPY (${select}) TO STDOUT (FORMAT csv)`
    client.query(new CopyOut(statement, taker, (error) => (error ? reject(error) : resolve())))
  })

/**
 * Writes values into a statement as untyped literals. PostgreSQL infers their types from the context, as it does for
 * bound values.
 */
export const inlineValues = (text: string, values: readonly unknown[]): string =>
  text.replace(/\$(\d+)/g, (place, n: string) => {
    if (Number(n) > values.length) throw new Error(`No value is bound to ${place}`)
    const value: unknown = utils.prepareValue(values[Number(n) - 1])
    return value === null ? 'NULL' : pg.escapeLiteral(String(value))
  })
