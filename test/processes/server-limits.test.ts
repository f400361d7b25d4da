import { afterAll, describe, expect, test } from 'vitest'
import { connectToDbServer } from '#server/db/server.ts'
import { withTimeLimits } from '#server/db/time-limits.ts'
import { testPortal } from '#test/support/portal.ts'

// Tests how many prepared statements a database server retains, and the time limits for statements.

const portal = await testPortal()
const db = connectToDbServer(portal.db.origin.url, 2, { statementSeconds: 1 })
afterAll(() => db.close())

const SLOW = 'SELECT pg_sleep(3)'
/** Returns the largest number of prepared statements on any connection of this process, without the initial one. */
async function keptMost(): Promise<number> {
  const kept = await Promise.all(
    Array.from({ length: 8 }, () =>
      db.tx('system', (tx) =>
        tx.rows<{ n: number }>("SELECT count(*)::int AS n FROM pg_prepared_statements WHERE name <> 'tenant'"),
      ),
    ),
  )
  return Math.max(...kept.map(([row]) => row?.n ?? 0))
}

test('only statements used repeatedly are cached as prepared statements, and the number cached is limited', async () => {
  const ask = (n: number) => db.read.arrays({ text: `SELECT $1::int + ${n}` }, [1])
  for (let n = 0; n < 2000; n++) await ask(n)
  expect(await keptMost()).toBe(0)
  for (let use = 0; use < 4; use++) await Promise.all(Array.from({ length: 4 }, (_, n) => ask(n)))
  expect(await keptMost()).toBeGreaterThan(0)
  for (let n = 0; n < 1000; n++) for (let use = 0; use < 5; use++) await ask(n)
  expect(await keptMost()).toBeLessThanOrEqual(251)
})

test('a frequent hand-written statement is prepared in a transaction of a tenant, but not in a read or as the owner', async () => {
  const one = connectToDbServer(portal.db.origin.url, 1)
  const prepared = async (word: string) => {
    const [row] = await one.read.rows<{ n: number }>(
      'SELECT count(*)::int AS n FROM pg_prepared_statements WHERE statement LIKE $1',
      [`SELECT $1::text AS ${word}%`],
    )
    return row?.n
  }
  try {
    for (let use = 0; use < 5; use++) {
      const answers = [
        await one.tx({ clientId: 1 }, (tx) => tx.rows('SELECT $1::text AS tenant_word', ['a'])),
        await one.tx('owner', (tx) => tx.rows('SELECT $1::text AS owner_word', ['b'])),
        await one.read.rows('SELECT $1::text AS read_word', ['c']),
      ]
      expect(answers.flat()).toEqual([{ tenant_word: 'a' }, { owner_word: 'b' }, { read_word: 'c' }])
    }
    expect([await prepared('tenant_word'), await prepared('owner_word'), await prepared('read_word')]).toEqual([
      1, 0, 0,
    ])
    // Without values, a text may contain several statements.
    for (let use = 0; use < 5; use++)
      await one.tx({ clientId: 1 }, (tx) => tx.rows("SET LOCAL work_mem = '4MB'; SET LOCAL work_mem = '8MB'"))
  } finally {
    await one.close()
  }
})

test('a slow statement in a request is cancelled, while one in a job has more time', async () => {
  await expect(db.read.rows(SLOW)).rejects.toThrow('statement timeout')
  await expect(db.tx('system', (tx) => tx.rows(SLOW))).rejects.toThrow('statement timeout')
  const long = { statement: 10_000, lock: 10_000 }
  await withTimeLimits(long, () => Promise.all([db.read.rows(SLOW), db.tx('system', (tx) => tx.rows(SLOW))]))
  expect(await db.read.rows('SHOW statement_timeout')).toEqual([{ statement_timeout: '1s' }])
})

test('every connection has statement, lock and idle timeouts', async () => {
  const [limits] = await portal.db.read.rows<Record<string, string>>(
    "SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock, current_setting('idle_in_transaction_session_timeout') AS idle",
  )
  expect(limits).toEqual({ statement: '30s', lock: '15s', idle: '1min' })
})

test('a failed job-queue statement that opened its own transaction leaves no transaction open', async () => {
  const { jobs } = db
  await expect(jobs.executeSql('BEGIN; SELECT 1 / 0; COMMIT')).rejects.toThrow('division by zero')
  for (let n = 0; n < 4; n++) expect((await jobs.executeSql('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
})

describe('a prepared statement', () => {
  const KINDS = `SELECT $1::int8 AS a, $1::int4 % 2 = 0 AS b, nullif($2, '') AS c, $1::numeric / 4 AS d, ARRAY[$2, NULL] AS e,
    jsonb_build_object('a', $2) AS f, NULL::int8 AS g, '2026-11-21 10:20:30.5+00'::timestamptz AS h, DATE '2026-11-21' + $1::int AS i,
    decode('00ff', 'hex') AS j`
  const ask = (n: number, text: string) => db.read.arrays({ text: KINDS }, [n, text])

  test('a prepared statement has the same result as before its preparation', async () => {
    const asked = ['', 'Ægir 🏗️', '{"\\\\"}', 'NULL', '\t'.repeat(300)].map((text, n) => [n, text] as const)
    const first = await Promise.all(
      asked.map(([n, text]) => db.read.rows(KINDS.replace('SELECT', 'SELECT /* once */'), [n, text])),
    )
    for (let use = 0; use < 5; use++) {
      const rows = await Promise.all(asked.map(([n, text]) => ask(n, text)))
      expect(rows).toEqual(first.map((found) => found.map((row) => Object.values(row as object))))
    }
  })

  test('a refused prepared statement does not block other statements sent with it', async () => {
    const divide = (by: number) => db.read.arrays({ text: 'SELECT 12 / $1::int' }, [by])
    for (let use = 0; use < 4; use++) await Promise.all([divide(3), divide(4)])
    const asked = [3, 0, 4, Number.NaN, 6].map((by) =>
      divide(by).then(
        ([row]) => row?.[0],
        () => 'refused',
      ),
    )
    expect(await Promise.all(asked)).toEqual([4, 'refused', 3, 'refused', 2])
    const inside = db.tx('system', async (tx) => {
      const quotients = [
        tx.arrays({ text: 'SELECT 12 / $1::int' }, [2]),
        tx.arrays({ text: 'SELECT 12 / $1::int' }, [0]),
      ]
      return Promise.all(quotients)
    })
    await expect(inside).rejects.toThrow('division by zero')
    expect(await divide(1)).toEqual([[12]])
  })

  test('a prepared statement that writes commits its values on each use', async () => {
    await db.tx('owner', (tx) => tx.script('CREATE TABLE IF NOT EXISTS tally (n int)'))
    const text = 'INSERT INTO tally VALUES ($1)'
    for (let n = 0; n < 8; n++) expect(await db.tx('owner', (tx) => tx.commitWith({ text }, [n]))).toEqual([])
    expect(await db.tx('owner', (tx) => tx.rows('SELECT sum(n)::int AS sum FROM tally'))).toEqual([{ sum: 28 }])
    await db.tx('owner', (tx) => tx.script('DROP TABLE tally'))
  })
})
