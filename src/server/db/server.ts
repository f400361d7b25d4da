import type pg from 'pg'
import { types } from './columns.ts'
import { copyIn } from './copy.ts'
import { type As, bind, type Conn, type Db, type Prepared, SESSION, SNAPSHOT, type Tx } from './db.ts'
import { readerOn } from './inside.ts'
import type { Line } from './line.ts'
import { Lines } from './lines.ts'
import { Names } from './names.ts'
import { grant, NO_HURRY, patienceNow } from './patience.ts'
import { Reach } from './reach.ts'
import { Unavailable } from './unavailable.ts'

/** Seconds that a transaction may be left open without a word. */
const IDLE_SECONDS = 60
/** Seconds that a statement waits for a lock. */
const LOCK_SECONDS = 15
/** Seconds that a statement of the queue of jobs may take: its upkeep too. */
const JOBS_SECONDS = 60

const limits = (statementSeconds: number) =>
  `SET statement_timeout = '${statementSeconds}s'; SET lock_timeout = '${LOCK_SECONDS}s'; SET idle_in_transaction_session_timeout = '${IDLE_SECONDS}s'`

export interface ServerOptions {
  /** Off before there are roles to take on. */
  readonly session?: boolean
  /** Seconds that a statement may take where nobody grants it more (`patiently`); 0 is for ever. */
  readonly statementSeconds?: number
}

/**
 * A PostgreSQL server, 15 or newer. Connections send without waiting for earlier answers, so a transaction's
 * opening travels with its first query and its last write with the commit.
 */
export function openServer(url: string, max: number, options: ServerOptions = {}): Db {
  return openOn(new Reach(url), url, max, options)
}

function openOn(reach: Reach, url: string, max: number, options: ServerOptions): Db {
  const { session = true, statementSeconds = 30 } = options
  const names = new Names()
  const time = { ahead: 0 }
  const lines = new Lines(url, reach, {
    session: `${session ? `${SESSION}; ` : ''}${limits(statementSeconds)}`,
    max,
    types,
    pipeline: true,
    application_name: 'stanchion',
  })
  const arraysOn = (line: Line, { text }: Prepared, values: readonly unknown[]) =>
    line.arrays(text, names.of(text), values)
  const connOn = (line: Line): Conn => ({
    rows: async (text, values = []) => (await line.ask(() => line.run({ text, values: [...values] }))).rows as never,
    arrays: (query, values) => line.ask(() => arraysOn(line, query, values)),
  })

  /** A connection that can't be rolled back is broken, and so is not used again. */
  const rollBack = (line: Line) =>
    line.ask(() => line.run('ROLLBACK')).catch((broken: Error) => line.cut(broken.message))

  async function transaction<T>(opening: string, work: (line: Line, commit: () => Promise<unknown>) => Promise<T>) {
    const line = await lines.take()
    let committed: Promise<pg.QueryResult> | undefined
    const commit = () => {
      committed ??= line.ask(() => line.run('COMMIT'))
      committed.catch(() => {})
      return committed
    }
    try {
      const begun = line.askFirst(() => line.run(opening))
      begun.catch(() => {})
      const result = await work(line, commit)
      await begun
      await commit()
      const end = await committed
      if (end?.command !== 'COMMIT') throw new Error('The transaction was rolled back')
      return result
    } catch (e) {
      if (committed && e instanceof Unavailable) throw new Unavailable(e.cause, true)
      if (!line.lost) await rollBack(line)
      throw e
    } finally {
      lines.give(line)
    }
  }
  const patience = (as?: As) => {
    const given = as === 'owner' ? NO_HURRY : patienceNow()
    return given ? `; ${grant(given)}` : ''
  }
  const snapshot = <T>(work: (conn: Conn) => Promise<T>): Promise<T> =>
    transaction(`BEGIN ${SNAPSHOT}${patience()}`, (line) => work(connOn(line)))

  /** A read stands by itself: where a connection breaks under it and the database is there, it is asked again. */
  async function readOnce<T>(work: (conn: Conn) => Promise<T>, again = true): Promise<T> {
    if (patienceNow()) return snapshot(work)
    const line = await lines.take()
    try {
      return await work(connOn(line))
    } catch (e) {
      if (!(again && e instanceof Unavailable && (await reach.look()))) throw e
    } finally {
      lines.give(line)
    }
    return readOnce(work, false)
  }

  // Of its own: whoever holds a connection of the pool never waits for another of them.
  let beside: Db | undefined
  let jobs: Lines | undefined

  return {
    kind: 'server',
    origin: { url },
    presence: reach,
    time,
    read: readerOn({
      rows: (text, values) => readOnce((conn) => conn.rows(text, values)),
      arrays: (query, values) => readOnce((conn) => conn.arrays(query, values)),
    }),
    tx: (as, work) =>
      transaction(`BEGIN; ${bind(as, time.ahead)}${patience(as)}`, (line, commit) => {
        const conn = connOn(line)
        const tx: Tx = {
          ...conn,
          copy: (statement, chunks) => line.ask(() => copyIn(line, statement, chunks)),
          script: async (text) => void (await line.ask(() => line.run(text))),
          commitWith: (q, values) => {
            const answer = line.askFirst(() => arraysOn(line, q, values))
            void commit()
            return answer
          },
          apart: (inner) => {
            beside ??= openOn(reach, url, 2, options)
            return beside.tx(as, inner)
          },
        }
        return work(tx)
      }),
    snapshot,
    jobs: {
      executeSql: async (text, values) => {
        jobs ??= new Lines(url, reach, { session: limits(JOBS_SECONDS), max: 3, application_name: 'stanchion jobs' })
        const line = await jobs.take()
        try {
          return await line.ask(() => line.run({ text, values }))
        } catch (e) {
          // It may have brought a BEGIN of its own, which would hold whatever is asked next.
          if (!line.lost) await rollBack(line)
          throw e
        } finally {
          jobs.give(line)
        }
      },
    },
    close: async () => {
      reach.close()
      await Promise.all([beside?.close(), jobs?.close(), lines.close()])
    },
  }
}
