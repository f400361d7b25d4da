import pg from 'pg'

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
