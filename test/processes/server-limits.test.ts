import { afterAll, expect, test } from 'vitest'
import { patiently } from '#server/db/patience.ts'
import { openServer } from '#server/db/server.ts'
import { testPortal } from '#test/support/portal.ts'

// What a database server keeps of statements, and how long it lets them run.

const portal = await testPortal()
if (!('url' in portal.db.origin)) throw new Error('This is no server')
const db = openServer(portal.db.origin.url, 2, { statementSeconds: 1 })
afterAll(() => db.close())

const SLOW = 'SELECT pg_sleep(3)'
/** Statements that connections of this process have prepared, the most of any. */
async function keptMost(): Promise<number> {
  const kept = await Promise.all(
    Array.from({ length: 8 }, () =>
      db.tx('system', (tx) => tx.rows<{ n: number }>('SELECT count(*)::int AS n FROM pg_prepared_statements')),
    ),
  )
  return Math.max(...kept.map(([row]) => row?.n ?? 0))
}

test('shapes of query that come once leave nothing behind, and those that come again a few', async () => {
  const ask = (n: number) => db.read.arrays({ text: `SELECT $1::int + ${n}` }, [1])
  for (let n = 0; n < 2000; n++) await ask(n)
  expect(await keptMost()).toBe(0)
  for (let use = 0; use < 4; use++) await Promise.all(Array.from({ length: 4 }, (_, n) => ask(n)))
  expect(await keptMost()).toBeGreaterThan(0)
  for (let n = 0; n < 1000; n++) for (let use = 0; use < 5; use++) await ask(n)
  expect(await keptMost()).toBeLessThanOrEqual(251)
})

test('a statement of a request that takes too long is stopped; one of a job has its time', async () => {
  await expect(db.read.rows(SLOW)).rejects.toThrow('statement timeout')
  await expect(db.tx('system', (tx) => tx.rows(SLOW))).rejects.toThrow('statement timeout')
  const long = { statement: 10_000, lock: 10_000 }
  await patiently(long, () => Promise.all([db.read.rows(SLOW), db.tx('system', (tx) => tx.rows(SLOW))]))
  expect(await db.read.rows('SHOW statement_timeout')).toEqual([{ statement_timeout: '1s' }])
})

test('every connection has its limits', async () => {
  const [limits] = await portal.db.read.rows<Record<string, string>>(
    "SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock, current_setting('idle_in_transaction_session_timeout') AS idle",
  )
  expect(limits).toEqual({ statement: '30s', lock: '15s', idle: '1min' })
})
