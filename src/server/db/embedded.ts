import { AsyncLocalStorage } from 'node:async_hooks'
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { PGlite, type PGliteOptions, types } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { bind, type Conn, type Db, type JobsConn, SESSION, SNAPSHOT, type Tx } from './db.ts'
import { readerOn } from './inside.ts'
import { ProcessAvailability } from './life.ts'
import { lock } from './lock.ts'
import { Mutex } from './mutex.ts'
import { closeFiles, keepPrivate } from './private-folder.ts'
import { Unavailable } from './unavailable.ts'

const asText = (s: string) => s
/** The same JavaScript values as the server driver gives: numbers for int8 and numeric, text for dates. */
const parsers = {
  [types.INT8]: Number,
  [types.NUMERIC]: Number,
  [types.DATE]: asText,
  [types.TIMESTAMP]: asText,
  [types.TIMESTAMPTZ]: asText,
}

type Sender = Pick<PGlite, 'query'>

const connOn = (p: Sender, life: ProcessAvailability): Conn => ({
  rows: async (text, values = []) => (await life.ask(() => p.query(text, [...values], { parsers }))).rows as never,
  arrays: async (query, values) =>
    (await life.ask(() => p.query(query.text, [...values], { parsers, rowMode: 'array' }))).rows as unknown[][],
})

/** Milliseconds that one piece of work goes on before the process hears who else is asking. */
const BREATH = 20

/** Asks once something is done: each time, or once for all. */
const behind = (ready: () => Promise<unknown>, conn: Conn): Conn => ({
  rows: async (text, values) => {
    await ready()
    return conn.rows(text, values)
  },
  arrays: async (query, values) => {
    await ready()
    return conn.arrays(query, values)
  },
})

/** Between two statements of long work the process looks at its sockets: one statement is all that holds it. */
function breathing(conn: Conn): Conn {
  let last = performance.now()
  return behind(async () => {
    if (performance.now() - last < BREATH) return
    await breathe()
    last = performance.now()
  }, conn)
}

/**
 * Several statements at once come without values and with a BEGIN and COMMIT of their own; a transaction round them keeps others
 * out until one that fails has been rolled back.
 */
const jobsOn = (pglite: PGlite, turn: Turn, life: ProcessAvailability): JobsConn => ({
  executeSql: (text, values) =>
    turn(async () => {
      if (values?.length)
        return pglite.transaction(async (tx) => {
          await tx.exec('SET LOCAL ROLE NONE')
          return { rows: (await life.ask(() => tx.query(text, values))).rows }
        })
      try {
        const results = await pglite.transaction((tx) =>
          life.ask(() => tx.exec(`RESET ROLE; ${text}; SET ROLE stanchion_reader`)),
        )
        return { rows: results.flatMap((r) => r.rows) }
      } catch (e) {
        if (!life.isAway) await pglite.exec('SET ROLE stanchion_reader')
        throw e
      }
    }),
})

/** Does a piece of work in its turn, as long as the database lives. */
type Turn = <T>(work: () => Promise<T>) => Promise<T>

/**
 * PostgreSQL in this process. One connection: a transaction has it to itself, so asking outside the transaction from
 * within one would wait for ever; that is refused instead.
 */
export async function openEmbedded(
  where: { dir: string; dump?: Blob } | { dump: Blob } | 'memory',
): Promise<Db & { pglite: PGlite }> {
  let unlock = () => {}
  const options: PGliteOptions = { extensions: { pg_trgm, btree_gin }, parsers }
  if (where !== 'memory' && 'dir' in where) {
    keepPrivate(where.dir, (sentence) => process.stderr.write(`${sentence}\n`))
    unlock = lock(where.dir)
    options.dataDir = join(where.dir, 'postgres')
  }
  if (where !== 'memory' && where.dump) options.loadDataDir = where.dump
  const pglite = await PGlite.create(options).catch((e: unknown) => {
    unlock()
    throw e
  })
  const files = options.dataDir
  if (files) closeFiles(files)
  const time = { ahead: 0 }
  const turns = new Mutex()
  const life = new ProcessAvailability()
  const turn: Turn = (work) => life.spend(() => turns.take(work))
  const inside = new AsyncLocalStorage<true>()
  const outside = connOn(
    {
      query: (...args: Parameters<PGlite['query']>) => {
        if (inside.getStore()) throw new Error('A query outside the open transaction was asked for from inside it')
        return turn(() => pglite.query(...args))
      },
    } as Sender,
    life,
  )

  return {
    kind: 'embedded',
    origin: { pglite },
    presence: life,
    jobs: jobsOn(pglite, turn, life),
    time,
    pglite,
    read: readerOn(outside),
    tx: (as, work) => {
      if (inside.getStore()) throw new Error('A second transaction was asked for from inside one')
      let isCommitting = false
      const done = inside.run(true, () =>
        turn(() =>
          pglite.transaction(async (p) => {
            let begun: Promise<unknown> | undefined
            const begin = () => {
              begun ??= p.exec(bind(as, time.ahead))
              return begun
            }
            const unbound = connOn(p as unknown as Sender, life)
            const conn = breathing(behind(begin, unbound))
            const tx: Tx = {
              ...conn,
              before: unbound.arrays,
              commitWith: conn.arrays,
              script: async (text) => {
                await begin()
                await life.ask(() => p.exec(text))
              },
              apart: (inner) => inner(conn),
            }
            const value = await work(tx)
            isCommitting = true
            return value
          }),
        ),
      )
      return done.catch((e: unknown) => {
        throw isCommitting && e instanceof Unavailable ? new Unavailable(e.cause, true) : e
      }) as never
    },
    snapshot: (work) => {
      if (inside.getStore()) throw new Error('A snapshot was asked for from inside a transaction')
      return inside.run(true, () =>
        turn(() =>
          pglite.transaction(async (p) => {
            await p.exec(`SET TRANSACTION ${SNAPSHOT}`)
            return work(connOn(p as unknown as Sender, life))
          }),
        ),
      ) as never
    },
    // Nobody else has it open, so that nothing is missed once it listens. It is heard in the midst of somebody's transaction, whose
    // part it is not.
    listen: (channel, heard, missed) => {
      const listening = turn(() => pglite.listen(channel, AsyncLocalStorage.bind(heard)))
      listening.then(missed, () => {})
      return () => void listening.then((end) => turn(() => end())).catch(() => {})
    },
    close: async () => {
      if (!life.isAway) await pglite.close()
      if (files) closeFiles(files)
      unlock()
    },
  }
}

/** After migrating: from here on, nothing runs as the database's owner by accident. */
export const startSession = (pglite: PGlite) => pglite.exec(SESSION)
