import { beforeAll, expect, test } from 'vitest'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
let as: TestApi
let lead: { '@id': string; id: number }
beforeAll(async () => {
  as = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  lead = (await as.post('/api/crm/contacts', { companyName: 'Long story Ltd' })).body
})

test('the 101st note of a lead is on the second page of its notes', async () => {
  await portal.db.tx('system', (tx) =>
    tx.rows(
      "INSERT INTO note (client_id, contact_id, notes) SELECT 0, $1, 'Note ' || n FROM generate_series(1, 101) n",
      [lead.id],
    ),
  )
  const { body } = await as.get(`${lead['@id']}/actions?itemsPerPage=100`)
  expect(body['hydra:member']).toHaveLength(100)
  const next = await as.get(body['hydra:view']['hydra:next'])
  expect(next.body['hydra:member'].map((n: { notes: string }) => n.notes)).toEqual(['Note 1'])
})

test('previous versions of an edited note are stored', async () => {
  const { body: note } = await as.post('/api/crm/actions', { contact: lead['@id'], notes: 'Sort order' })
  for (const notes of ['Second', 'Third']) await as.put(note['@id'], { notes })
  await as.put(note['@id'], { sticky: true })
  const { body } = await as.get(`${note['@id']}/history`)
  expect(body['hydra:member'].map((was: { notes: string }) => was.notes)).toEqual(['Second', 'Sort order'])
  const client = await portal.client()
  const stranger = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  expect((await stranger.get(`${note['@id']}/history`)).status).toBe(403)
})

test("a lead's minutes are summed over the last twelve months, excluding retired notes", async () => {
  const { body: spent } = await as.post('/api/crm/contacts', { companyName: 'Supported Ltd' })
  await portal.db.tx('system', (tx) =>
    tx.rows(
      `INSERT INTO note (client_id, contact_id, minutes, retired, timestamp) VALUES
         (0, $1, 7, false, portal_now()), (0, $1, 5, false, portal_now() - interval '11 months'),
         (0, $1, 50, true, portal_now()), (0, $1, 500, false, portal_now() - interval '13 months')`,
      [spent.id],
    ),
  )
  expect((await as.get(`${spent['@id']}/minutes`)).body.minutes).toBe(12)
})
