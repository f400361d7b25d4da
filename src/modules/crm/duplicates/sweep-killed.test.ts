import { expect, test } from 'vitest'
import { createEngine } from '#server/engine/engine.ts'
import { registryOf } from '#server/engine/registry.ts'
import { CrashingDb } from '#test/support/ending.ts'
import { testPortal } from '#test/support/portal.ts'
import { duplicateSearchJob } from './routes.server.ts'

const portal = await testPortal()
const sql = <T>(text: string, values: readonly unknown[]) => portal.db.tx('system', (tx) => tx.rows<T>(text, values))
/** Number of leads, more than two batches of a search. Every third lead resembles the one before it. */
const LEADS = 250

test('a duplicate search that is repeatedly killed and resumed finds the same pairs as an uninterrupted one', async () => {
  const client = await portal.client()
  const admin = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] }))
  await sql(
    `INSERT INTO contact (client_id, company_name, city)
     SELECT $1, 'Swept ' || md5((n - (n % 3 = 2)::int)::text) || ' Ltd', 'Derby' FROM generate_series(1, $2) n`,
    [client.id, LEADS],
  )
  const begin = async () => {
    const { status, body } = await admin.post('/api/crm/duplicate_pairs/sweep')
    expect(status).toBe(202)
    return body as { id: number }
  }
  const pairs = () =>
    sql('SELECT first_id, second_id, reasons, strength, state FROM lead_pair WHERE client_id = $1 ORDER BY 1, 2', [
      client.id,
    ])
  const undisturbed = await begin()
  await portal.drain()
  const found = await pairs()
  expect(found).toHaveLength(Math.floor((LEADS + 1) / 3))
  await sql('DELETE FROM lead_pair WHERE client_id = $1', [client.id])

  const killed = await begin()
  const seen: number[] = []
  for (const left of [3, 9, 14, 20]) {
    const db = new CrashingDb(portal.db)
    db.left = left
    await duplicateSearchJob
      .work(createEngine(db, portal.engine.config, registryOf(portal.engine).modules), client.id, killed.id)
      .catch(() => {})
    db.left = 0
    seen.push((await pairs()).length)
    // Expires the job's lease.
    await sql("UPDATE run SET lease_until = now() - interval '1 second' WHERE id = $1 AND lease IS NOT NULL", [
      killed.id,
    ])
  }
  await portal.drain()
  expect(seen.some((n) => n > 0 && n < found.length)).toBe(true)
  const stateOf = async (run: { id: number }) => (await admin.get(`/api/portal/runs/${run.id}`)).body
  const { done, tally } = await stateOf(undisturbed)
  expect(await stateOf(killed)).toMatchObject({ state: 'done', done, tally })
  expect(await pairs()).toEqual(found)
})
