import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { loadDemoData } from '#server/seed/demo.ts'
import { loadReferenceData } from '#server/seed/reference.ts'
import { testPortal } from '../support/portal.ts'

// Tests the initial data of a portal: the reference data of all modules, and their demo data.

const folder = mkdtempSync(join(tmpdir(), 'stanchion-world-'))
afterAll(() => rmSync(folder, { recursive: true }))
const { engine } = await (await testPortal()).with({ DATA_DIR: folder })
const sql = <T>(text: string) => engine.db.tx('system', (tx) => tx.rows<T>(text))

const LISTS = [
  'client',
  'role',
  'role_category',
  'last_result',
  'business_type',
  'came_from',
  'city',
  'staff',
  'tax_rate',
  'quote_settings',
  'industry',
  'hazard',
  'task',
  'document',
]
const counts = async () => {
  const [row] = await sql(`SELECT ${LISTS.map((t) => `(SELECT count(*) FROM ${t})::int AS ${t}`).join(', ')}`)
  return row
}

test("reloading reference data adds nothing and preserves users' changes", async () => {
  await sql("UPDATE role SET label = 'Our own word' WHERE name = 'ROLE_STAFF'")
  const before = await counts()
  expect(Object.values(before ?? {})).not.toContain(0)
  await sql('DELETE FROM reference_version')
  // Two processes may load the reference data at the same time.
  await Promise.all([loadReferenceData(engine), loadReferenceData(engine)])
  expect(await counts()).toEqual(before)
  expect(await sql("SELECT label FROM role WHERE name = 'ROLE_STAFF'")).toEqual([{ label: 'Our own word' }])
})

test('demo data is loaded only once, and its records have users as authors and times in the past', async () => {
  expect([await loadDemoData(engine), await loadDemoData(engine)]).toEqual([true, false])
  expect(
    await sql(
      'SELECT u.client_id AS client, u.username FROM credential c JOIN user_account u ON u.id = c.user_id WHERE c.demo ORDER BY u.id',
    ),
  ).toEqual([
    { client: 0, username: 'staff' },
    { client: 0, username: 'manager' },
    { client: 1, username: 'admin.brick' },
    { client: 1, username: 'worker.brick' },
    { client: 2, username: 'admin.care' },
    { client: 4, username: 'reseller.north' },
    { client: 1, username: 'approver.brick' },
    { client: 1, username: 'office.brick' },
  ])
  expect(await sql('SELECT reference, state FROM quote WHERE client_id = 0 ORDER BY number')).toEqual(
    [
      ['Q-00001', 'draft'],
      ['Q-00002', 'draft'],
      ['Q-00003', 'open'],
      ['Q-00004', 'open'],
      ['Q-00005', 'open'],
      ['Q-00006', 'accepted'],
      ['Q-00007', 'accepted'],
      ['Q-00008', 'declined'],
      ['Q-00009', 'expired'],
      ['Q-00010', 'cancelled'],
      ...Array.from({ length: 9 }, (_, n) => [`Q-000${n + 11}`, 'accepted']),
    ].map(([reference, state]) => ({ reference, state })),
  )
  const [there] = await sql(
    `SELECT (SELECT count(*) FROM contact)::int AS leads, (SELECT count(*) FROM customer)::int AS customers, (SELECT count(*) FROM card)::int AS cards,
       (SELECT count(*) FROM price WHERE from_at < now() - interval '300 days')::int AS "formerPrices",
       (SELECT count(*) FROM uploaded_document)::int AS files, (SELECT count(*) FROM outbox)::int AS letters`,
  )
  expect(there).toEqual({ leads: 800, customers: 28, cards: 3, formerPrices: 10, files: 11, letters: 40 })
})

test('sealed records of the demo data pass verification', async () => {
  const { links, broken } = await verifyEvidence(engine)
  expect([links > 20, broken]).toEqual([true, []])
})
