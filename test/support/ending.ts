import type { Db, SqlConn, Tx } from '#server/db/db.ts'

/**
 * A database connection of a process that is killed. After the n-th response, nothing more is sent and open
 * transactions are rolled back. A commit is a response too: the process may be killed before it receives the response.
 */
export class CrashingDb implements Db {
  readonly origin: Db['origin']
  readonly presence: Db['presence']
  readonly jobs: Db['jobs']
  readonly time: Db['time']
  readonly read: SqlConn
  /** Remaining number of responses; at zero, the process has been killed. */
  left = Number.POSITIVE_INFINITY
  private readonly db: Db
  constructor(db: Db) {
    this.db = db
    this.origin = db.origin
    this.presence = db.presence
    this.jobs = db.jobs
    this.time = db.time
    this.read = this.ending(db.read)
  }

  get ended(): boolean {
    return this.left <= 0
  }

  async tx<T>(as: Parameters<Db['tx']>[0], work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.answered(() =>
      this.db.tx(as, (tx) =>
        work({
          ...this.ending(tx),
          before: (query, values) => this.answered(() => tx.before(query, values)),
          copy: (statement, chunks) => this.answered(() => tx.copy(statement, chunks)),
          script: (text) => this.answered(() => tx.script(text)),
          commitWith: (query, values) => this.answered(() => tx.commitWith(query, values)),
          apart: (inner) => this.answered(() => tx.apart((conn) => inner(this.ending(conn)))),
        }),
      ),
    )
  }

  snapshot<T>(work: (conn: SqlConn) => Promise<T>): Promise<T> {
    return this.answered(() => this.db.snapshot((conn) => work(this.ending(conn))))
  }

  listen: Db['listen'] = (...args) => this.db.listen(...args)

  close = (): Promise<void> => Promise.resolve()

  private ending(conn: SqlConn): SqlConn {
    const { copyOut } = conn
    return {
      rows: (text, values) => this.answered(() => conn.rows(text, values)),
      arrays: (query, values) => this.answered(() => conn.arrays(query, values)),
      ...(copyOut && {
        copyOut: (...asked: Parameters<typeof copyOut>) => this.answered(() => copyOut(...asked)),
      }),
    }
  }

  private async answered<T>(ask: () => Promise<T>): Promise<T> {
    if (this.ended) throw new Error('The process has ended')
    const answer = await ask()
    this.left--
    if (this.ended) throw new Error('The process has ended')
    return answer
  }
}
