import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Field } from '#kernel/fields.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import type { Resource } from '#kernel/resource.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { loadDemoData } from '#server/seed/demo.ts'
import { loadReferenceData } from '#server/seed/reference.ts'
import { testPortal } from '../support/portal.ts'
import { declarationText, IS_FULL_RUN, sampleUnlessFullRun } from '../support/scope.ts'

// Tests the initial data of a portal: the reference data of all modules, and their demo data.

const folder = mkdtempSync(join(tmpdir(), 'stanchion-world-'))
afterAll(() => rmSync(folder, { recursive: true }))
const portal = await (await testPortal()).with({ DATA_DIR: folder })
const { engine } = portal
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
    { client: 0, username: 'finance' },
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
       (SELECT count(*) FROM uploaded_document)::int AS files, (SELECT count(*) FROM outbox)::int AS events`,
  )
  expect(there).toEqual({ leads: 800, customers: 28, cards: 3, formerPrices: 10, files: 13, events: 81 })
})

test('each fit note that the demo data states as seen has a file, marked as a demonstration', async () => {
  const notes = await sql<{ name: string | null }>(
    `SELECT f.name FROM sickness_absence a LEFT JOIN fit_note f ON f.client_id = a.client_id AND f.absence_id = a.id
     WHERE a.fit_note_seen_on IS NOT NULL`,
  )
  expect(notes).toEqual([{ name: 'demo-fit-note.pdf' }])
})

test('sealed records of the demo data pass verification', async () => {
  const { links, broken } = await verifyEvidence(engine)
  expect([links > 20, broken]).toEqual([true, []])
})

const ROWS_PER_LIST = 2

const clientOf = async (r: Resource, iri: string) =>
  (await sql<{ client: number }>(`SELECT client_id AS client FROM ${r.table} WHERE id = ${idFromAnyIri(iri)}`))[0]
    ?.client ?? 0

/** Returns a record as a new one: without its identifiers and those of its rows. */
function withoutIdentifiers(r: Resource, record: Record<string, unknown>): Record<string, unknown> {
  const { '@id': _, '@type': _type, '@context': _context, id: _id, ...rest } = record
  for (const [name, f] of Object.entries<Field>(r.fields))
    if (f.kind === 'rows' && Array.isArray(rest[name]))
      rest[name] = rest[name].map((row) => withoutIdentifiers((f.target as () => Resource)(), row))
  return rest
}

test('a record read by a demo user can be sent back: as a change it changes nothing, as a new record it is accepted or refused because of a value', async () => {
  const users = await sql<{ id: number; clientId: number; username: string }>(
    'SELECT u.id, u.client_id AS "clientId", u.username FROM credential c JOIN user_account u ON u.id = c.user_id WHERE c.demo ORDER BY u.id',
  )
  const all = engine.addressed.filter(({ allow }) => allow.update || allow.create)
  const written = sampleUnlessFullRun(all, (r) => [declarationText(r)])
  const wrong: unknown[] = []
  const sent = { unchanged: 0, created: 0 }
  for (const user of users) {
    const api = portal.provider.as({ ...user, iri: '', password: undefined })
    for (const r of written) {
      const list = await api.get(`${r.url}?itemsPerPage=${ROWS_PER_LIST}`)
      for (const { '@id': iri } of list.body['hydra:member'] ?? []) {
        const read = await api.get(iri)
        if (read.status !== 200) continue
        for (const [name, f] of Object.entries<Field>(r.fields)) {
          const reference = read.body[name]
          if (f.kind !== 'link' || f.embed || typeof reference !== 'string') continue
          const { status } = await api.get(reference)
          if (status !== 200) wrong.push([user.username, `${r.type}.${name}`, iri, reference, status])
        }
        const put = await api.put(iri, read.body, read.headers.etag ? { 'if-match': read.headers.etag } : {})
        if (put.status === 200) sent.unchanged++
        // A closed record can't be changed at all.
        else if (![403, 405, 409].includes(put.status)) wrong.push([user.username, 'PUT', iri, put.status, put.text])
        const again = await api.get(iri)
        if (again.text !== read.text) wrong.push([user.username, 'PUT', iri, read.text, again.text])
        // Records of other clients can be seen, but not be copied into one's own.
        if (r.tenant.startsWith('own') && ![0, user.clientId].includes(await clientOf(r, iri))) continue
        const post = await api.post(r.url, withoutIdentifiers(r, read.body))
        if (post.status === 201) sent.created++
        // A conflict states with which record, such as one of the same name.
        else if (![403, 405, 409, 422].includes(post.status) || post.body.code === 'in_use')
          wrong.push([user.username, 'POST', iri, post.status, post.text])
      }
    }
  }
  expect(wrong).toEqual([])
  if (IS_FULL_RUN) expect([sent.unchanged > 100, sent.created > 100]).toEqual([true, true])
}, 300_000)
