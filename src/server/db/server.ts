import pg from 'pg'
import { copyIn } from './copy.ts'
import { bind, type Conn, type Db, type Prepared, SESSION, SNAPSHOT, type Tx } from './db.ts'
import { readerOn } from './inside.ts'

const asText = (s: string) => s
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => PARSERS[oid] ?? pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig
/** int8 and numeric as numbers, dates and instants as text: the embedded database's values. */
const PARSERS: Record<number, (s: string) => unknown> = {
  20: Number,
  1700: Number,
  1082: asText,
  1114: asText,
  1184: asText,
}

const connOn = (c: Pick<pg.ClientBase, 'query'>): Conn => ({
  rows: async (text, values = []) => (await c.query({ text, values: [...values] })).rows as never,
  arrays: async (q: Prepared, values) =>
    (await c.query({ name: q.name, text: q.text, values: [...values], rowMode: 'array' })).rows as unknown[][],
})

/**
 * A PostgreSQL server, 15 or newer. Connections send without waiting for earlier answers, so a transaction's
 * opening travels with its first query and its last write with the commit.
 */
export function openServer(url: string, max: number, { session = true } = {}): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    pipeline: true,
    application_name: 'stanchion',
  } as pg.PoolConfig)
  const time = { ahead: 0 }
  // An idle connection that the server drops is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  if (session) pool.on('connect', (client) => void client.query(SESSION).catch(() => {}))

  // Of its own: whoever holds a connection of the pool never waits for another of them.
  let beside: Db | undefined

  return {
    kind: 'server',
    origin: { url },
    time,
    read: readerOn(connOn(pool)),
    tx: async (as, work) => {
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        let committed: Promise<pg.QueryResult> | undefined
        const begun = client.query(`BEGIN; ${bind(as, time.ahead)}`)
        begun.catch(() => {})
        const conn = connOn(client)
        const tx: Tx = {
          ...conn,
          copy: (statement, chunks) => copyIn(client, statement, chunks),
          script: async (text) => void (await client.query(text)),
          commitWith: async (q, values) => {
            const rows = conn.arrays(q, values)
            committed = client.query('COMMIT')
            committed.catch(() => {})
            return rows
          },
          apart: (inner) => {
            beside ??= openServer(url, 2, { session })
            return beside.tx(as, inner)
          },
        }
        try {
          const result = await work(tx)
          await begun
          const end = await (committed ?? client.query('COMMIT'))
          if (end.command !== 'COMMIT') throw new Error('The transaction was rolled back')
          return result
        } catch (e) {
          await client.query('ROLLBACK').catch((r: Error) => (broken = r))
          throw e
        }
      } finally {
        client.release(broken)
      }
    },
    snapshot: async (work) => {
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        await client.query(`BEGIN ${SNAPSHOT}`)
        return await work(connOn(client))
      } finally {
        await client.query('ROLLBACK').catch((e: Error) => (broken = e))
        client.release(broken)
      }
    },
    close: async () => {
      await beside?.close()
      await pool.end()
    },
  }
}
