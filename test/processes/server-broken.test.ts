import { afterAll, expect, test } from 'vitest'
import { settleAll } from '#kernel/settle-all.ts'
import { connectToDbServer } from '#server/db/server.ts'
import { DbUnavailableError } from '#server/db/unavailable.ts'
import { testPortal } from '#test/support/portal.ts'
import { startProxy } from './wire.ts'

// Tests the outcome of a transaction whose connection breaks during a round trip.

const near = await testPortal()
const wire = await startProxy(near.db.origin.url)
const db = connectToDbServer(wire.url, 1)
const { id: clientId } = await near.client()
afterAll(async () => {
  await db.close()
  wire.close()
})

/** Inserts two rows, neither of which may exist without the other. */
const BOTH = {
  text: `WITH lead AS (INSERT INTO contact (client_id, company_name) VALUES ($1::int, $2::text) RETURNING *)
    INSERT INTO audit (client_id, user_id, username, request_id, type, row_id, verb, changes) SELECT client_id, 0, 'test', company_name, 'Contact', id, 'create', '{}' FROM lead RETURNING row_id`,
}
const LOOK = { text: 'SELECT count(*) FROM contact WHERE client_id = $1::int AND company_name = $2::text' }
type ServerBreakage = (name: string) => Promise<unknown>
const ways: Record<string, ServerBreakage> = {
  'without a look': (name) => db.tx({ clientId }, (tx) => tx.commitWith(BOTH, [clientId, name])),
  'after a look': (name) =>
    db.tx({ clientId }, async (tx) => {
      await tx.arrays(LOOK, [clientId, name])
      return tx.commitWith(BOTH, [clientId, name])
    }),
  'in two journeys of two statements': (name) =>
    db.tx({ clientId }, async (tx) => {
      await settleAll(tx.arrays(LOOK, [clientId, name]), tx.arrays(LOOK, [clientId, name]))
      return settleAll(tx.arrays(BOTH, [clientId, name]), tx.commitWith(LOOK, [clientId, name]))
    }),
}

/**
 * Waits until the database is available again. After a broken connection, it may be considered unavailable until the
 * next check.
 */
const there = () =>
  expect
    .poll(() =>
      db.read.rows('SELECT 1').then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)

/** Returns the number of leads with this name, and the number of their audit entries. */
async function kept(name: string): Promise<[number, number]> {
  const [row] = await near.db.tx('system', (tx) =>
    tx.arrays(
      {
        text: 'SELECT (SELECT count(*) FROM contact WHERE company_name = $1::text), (SELECT count(*) FROM audit WHERE request_id = $1::text)',
      },
      [name],
    ),
  )
  return row as [number, number]
}

test.each(Object.entries(ways))(
  'a write %s is saved completely or not at all, wherever its connection breaks',
  async (way, write) => {
    const usual = async (n: number) => {
      await there()
      for (const use of [1, 2, 3, 4]) await write(`Usual ${way} ${n} ${use}`)
    }
    const seen = new Set<number>()
    await usual(0)
    for (let bytes = 0; bytes < 1200; bytes += 40) {
      const name = `Broken ${way} ${bytes}`
      wire.breakAfter(bytes)
      const failed = await write(name).then(
        () => undefined,
        (e: unknown) => e,
      )
      const [leads, audits] = await kept(name)
      expect(audits, name).toBe(leads)
      if (failed === undefined) expect(leads, name).toBe(1)
      else expect(failed).toBeInstanceOf(DbUnavailableError)
      seen.add(leads)
      wire.breakAfter(Number.POSITIVE_INFINITY)
      // A new connection does not have any prepared statements yet.
      await usual(bytes + 1)
    }
    expect([...seen].sort()).toEqual([0, 1])
  },
)

test('a refused write resets its connection, which retains no permissions', async () => {
  await there()
  const write = (client: number, name: string) =>
    db.tx({ clientId }, (tx) => tx.commitWith(BOTH, [client, name])).catch((e: Error) => e.message)
  for (const use of [1, 2, 3]) await write(clientId, `Own ${use}`)
  expect(await write(clientId + 1, 'Somebody else’s')).toMatch(/row-level security|foreign key/)
  expect(await kept('Somebody else’s')).toEqual([0, 0])
  expect(await db.read.rows("SELECT current_user AS who, current_setting('app.client_id', true) AS client")).toEqual([
    { who: 'stanchion_reader', client: '' },
  ])
  await write(clientId, 'Interval')
  expect(await kept('Interval')).toEqual([1, 1])
})

test('a large response that arrives slowly, after its statement has ended, is read to the end', async () => {
  await there()
  wire.slowDown(1_000_000)
  const rows = await db.read
    .rows("SELECT repeat('x', 1000) AS text FROM generate_series(1, 4000)")
    .finally(() => wire.mend())
  expect(rows).toHaveLength(4000)
})
