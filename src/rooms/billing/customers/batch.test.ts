import { beforeAll, expect, test } from 'vitest'
import { type Api, type TestClient, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
let boss: Api
let staff: Api
const firms: TestClient[] = []
const URL = '/api/financial/customers/batch'

beforeAll(async () => {
  boss = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_BILLING_ADMIN'] }))
  staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  // More than a page; every fifth has no e-mail address.
  for (let i = 0; i < 60; i++) firms.push(await portal.client({ company: `Batch ${i} Ltd` }))
  await portal.db.tx('system', (tx) =>
    tx.rows(
      `UPDATE client SET contactemail = 'office' || id || '@batch.example', contactname = 'Office' WHERE id = ANY($1)`,
      [firms.filter((_, i) => i % 5).map((f) => f.id)],
    ),
  )
})

const run = async (dryRun: boolean) => {
  const begun = await boss.post(URL, { dryRun })
  expect(begun.status).toBe(202)
  await portal.drain()
  return (await boss.get(begun.body['@id'])).body
}
/** Every page: a run is over all clients of the portal, those of other tests among them. */
async function readAll<T>(url: string): Promise<T[]> {
  const { body } = await boss.get(url)
  const next = body['hydra:view']?.['hydra:next']
  return [...body['hydra:member'], ...(next ? await readAll<T>(next) : [])]
}
const mine = async () =>
  (await readAll<{ companyName: string | null }>('/api/financial/customers?itemsPerPage=100')).filter((c) =>
    c.companyName?.startsWith('Batch '),
  )
const errorsOf = async (batch: { '@id': string }) =>
  (
    await readAll<{ company: string }>(`/api/financial/customer_batch_lines?batch=${batch['@id']}&itemsPerPage=100`)
  ).filter((l) => l.company.startsWith('Batch '))

test('a dry run says what would happen, and makes nothing', async () => {
  const batch = await run(true)
  expect(batch).toMatchObject({ dryRun: true, state: 'finished' })
  expect(batch.clientsRead).toBe(batch.clientsTotal)
  expect(batch.created).toBeGreaterThanOrEqual(48)
  expect(await errorsOf(batch)).toHaveLength(12)
  expect(await mine()).toEqual([])
})

test('every client gets one customer, linked to its lead; those that can’t are listed', async () => {
  const lead = await staff.post('/api/crm/contacts', { companyName: 'Batch lead', client: firms[1]?.iri as string })
  const batch = await run(false)
  expect(batch).toMatchObject({ dryRun: false, state: 'finished' })
  expect(await mine()).toHaveLength(48)
  const errors = await errorsOf(batch)
  expect(errors[0]).toMatchObject({
    client: firms[0]?.id,
    company: 'Batch 0 Ltd',
    message: 'There is no e-mail address for this client. Enter one in the client’s details.',
  })
  expect((await staff.get(lead.body['@id'])).body.customer).toMatch(/^\/api\/financial\/customers\/\d+$/)
  // Again: nothing is doubled.
  const again = await run(false)
  expect(again.created).toBe(0)
  expect(await mine()).toHaveLength(48)
})

test('it can be stopped, and goes on where it was', async () => {
  const begun = (await boss.post(URL, { dryRun: true })).body
  const second = await boss.post(URL, { dryRun: true })
  expect([second.status, second.body['hydra:description']]).toEqual([
    409,
    'A run is under way already. Wait until it has finished, or stop it.',
  ])
  expect((await boss.post(`${begun['@id']}/stop`)).body.state).toBe('stopped')
  await portal.drain()
  expect((await boss.get(begun['@id'])).body).toMatchObject({ state: 'stopped', clientsRead: 0 })
  expect((await boss.post(`${begun['@id']}/resume`)).body.state).toBe('waiting')
  await portal.drain()
  const done = (await boss.get(begun['@id'])).body
  expect(done.state).toBe('finished')
  expect((await boss.post(`${begun['@id']}/stop`)).status).toBe(409)
})

test('a run that lost its process goes on without doing anything twice', async () => {
  const begun = (await boss.post(URL, { dryRun: true })).body
  const [first] = await portal.db.tx('system', (tx) =>
    tx.rows<{ id: number }>(
      'SELECT id FROM client c WHERE id > 0 AND NOT retired AND NOT EXISTS (SELECT 1 FROM customer k WHERE k.account_id = c.id) ORDER BY id LIMIT 1',
    ),
  )
  await portal.db.tx('system', (tx) =>
    tx.rows(
      "UPDATE customer_batch SET state = 'running', clients_total = 0, clients_read = 1, created = 1, last_client = $2 WHERE client_id = 0 AND id = $1",
      [begun.id, first?.id],
    ),
  )
  await portal.drain()
  const done = (await boss.get(begun['@id'])).body
  expect(done.state).toBe('finished')
  const lines = (await boss.get(`/api/financial/customer_batch_lines?batch=${begun['@id']}`)).body['hydra:member']
  expect(lines.some((l: { client: number }) => l.client === first?.id)).toBe(false)
})

test('it is for billing administrators', async () => {
  expect((await staff.post(URL, { dryRun: true })).status).toBe(403)
  expect((await boss.post(URL, { dryRun: 'yes' })).status).toBe(400)
})
