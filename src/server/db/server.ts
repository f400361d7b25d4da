import { ServerAvailability } from './availability.ts'
import { types } from './columns.ts'
import type { Connection } from './connection.ts'
import { type As, bind, type Conn, type Db, SESSION, SNAPSHOT } from './db.ts'
import { readerOn } from './inside.ts'
import { listenOn } from './listen.ts'
import { Names } from './names.ts'
import { currentTimeLimits, NO_TIME_LIMITS, setTimeLimitsSql } from './patience.ts'
import { ConnectionPool } from './pool.ts'
import { type Opening, Transaction } from './transaction.ts'
import { Unavailable } from './unavailable.ts'
import { PREPARE_TENANT } from './usual.ts'

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
  return openOn(new ServerAvailability(url), url, max, options)
}

function openOn(reach: ServerAvailability, url: string, max: number, options: ServerOptions): Db {
  const { session = true, statementSeconds = 30 } = options
  const names = new Names()
  const time = { ahead: 0 }
  const lines = new ConnectionPool(url, reach, {
    session: `${session ? `${SESSION}; ${PREPARE_TENANT}; ` : ''}${limits(statementSeconds)}`,
    max,
    types,
    pipeline: true,
    application_name: 'stanchion',
  })
  const connOn = (asked: Pick<Transaction, 'ask' | 'arrays'>): Conn => ({
    rows: async (text, values = []) =>
      (await asked.ask((line) => line.run({ text, values: [...values] }))).rows as never,
    arrays: (query, values) => asked.arrays(query, values),
  })
  const aloneOn = (line: Connection): Conn =>
    connOn({
      ask: (send) => line.ask(send),
      arrays: ({ text }, values) => line.ask((one) => one.arrays(text, names.of(text), values)),
    })

  async function transaction<T>(opening: Opening, work: (opened: Transaction) => Promise<T>): Promise<T> {
    const line = await lines.acquire()
    const opened = new Transaction(line, names, opening)
    try {
      const result = await work(opened)
      await opened.end()
      return result
    } catch (e) {
      if (opened.isSent && e instanceof Unavailable) throw new Unavailable(e.cause, true)
      await opened.rollBack()
      throw e
    } finally {
      lines.release(line)
    }
  }
  const patience = (as?: As) => {
    const given = as === 'owner' ? NO_TIME_LIMITS : currentTimeLimits()
    return given ? `; ${setTimeLimitsSql(given)}` : ''
  }
  const openingFor = (as: As): Opening => {
    const granted = patience(as)
    const isTenantOnly = session && typeof as === 'object' && !granted && !time.ahead
    return {
      text: `BEGIN; ${bind(as, time.ahead)}${granted}`,
      tenant: isTenantOnly ? [String(as.clientId), String(as.userId ?? 0)] : undefined,
    }
  }
  const snapshot = <T>(work: (conn: Conn) => Promise<T>): Promise<T> =>
    transaction({ text: `BEGIN ${SNAPSHOT}${patience()}` }, (opened) =>
      work({
        ...connOn(opened),
        copyOut: ({ text }, values, taker) => opened.ask((line) => line.copyOut(text, values, taker)),
      }),
    )

  /** A read stands by itself: where a connection breaks under it and the database is there, it is asked again. */
  async function readOnce<T>(work: (conn: Conn) => Promise<T>, again = true): Promise<T> {
    if (currentTimeLimits()) return snapshot(work)
    const line = await lines.acquire()
    try {
      return await work(aloneOn(line))
    } catch (e) {
      if (!(again && e instanceof Unavailable && (await reach.look()))) throw e
    } finally {
      lines.release(line)
    }
    return readOnce(work, false)
  }

  // Of its own: whoever holds a connection of the pool never waits for another of them.
  let beside: Db | undefined
  let jobs: ConnectionPool | undefined
  const ears = new Set<() => void>()

  return {
    origin: { url },
    presence: reach,
    time,
    read: readerOn({
      rows: (text, values) => readOnce((conn) => conn.rows(text, values)),
      arrays: (query, values) => readOnce((conn) => conn.arrays(query, values)),
    }),
    tx: (as, work) =>
      transaction(openingFor(as), (opened) =>
        work({
          ...connOn(opened),
          before: (query, values) => opened.before(query, values),
          copy: (statement, chunks) => opened.ask((line) => line.copy(statement, chunks)),
          script: async (text) => void (await opened.ask((line) => line.run(text))),
          commitWith: (query, values) => opened.commitWith(query, values),
          apart: (inner) => {
            beside ??= openOn(reach, url, 2, options)
            return beside.tx(as, inner)
          },
        }),
      ),
    snapshot,
    listen: (channel, heard, missed) => {
      const end = listenOn(url, reach, channel, heard, missed)
      ears.add(end)
      return () => {
        ears.delete(end)
        end()
      }
    },
    jobs: {
      executeSql: async (text, values) => {
        jobs ??= new ConnectionPool(url, reach, {
          session: limits(JOBS_SECONDS),
          max: 3,
          application_name: 'stanchion jobs',
        })
        const line = await jobs.acquire()
        try {
          return await line.ask(() => line.run({ text, values }))
        } catch (e) {
          // It may have brought a BEGIN of its own, which would hold whatever is asked next.
          await line.rollBack()
          throw e
        } finally {
          jobs.release(line)
        }
      },
    },
    close: async () => {
      for (const end of ears) end()
      reach.close()
      await Promise.all([beside?.close(), jobs?.close(), lines.close()])
    },
  }
}
