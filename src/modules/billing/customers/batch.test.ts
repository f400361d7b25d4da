import { beforeAll, expect, test } from 'vitest'
import { type TestApi, type TestClient, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
let boss: TestApi
let staff: TestApi
const firms: TestClient[] = []
const URL = '/api/financial/customers/batch'

beforeAll(async () => {
  boss = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_BILLING_ADMIN'] }))
  staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  // Creates more clients than fit on one page; every fifth has no e-mail address.
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
/** Reads all pages, because a batch covers all clients in the portal, including those created by other tests. */
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

test('a dry run of a customer batch reports the result and creates nothing', async () => {
  const batch = await run(true)
  expect(batch).toMatchObject({ dryRun: true, state: 'done' })
  expect(batch.clientsRead).toBe(batch.clientsTotal)
  expect(batch.created).toBeGreaterThanOrEqual(48)
  expect(await errorsOf(batch)).toHaveLength(12)
  expect(await mine()).toEqual([])
})

test('a customer batch creates one customer per client, linked to its lead, and lists rejected clients', async () => {
  const lead = await staff.post('/api/crm/contacts', { companyName: 'Batch lead', client: firms[1]?.iri as string })
  const batch = await run(false)
  expect(batch).toMatchObject({ dryRun: false, state: 'done' })
  expect(await mine()).toHaveLength(48)
  const errors = await errorsOf(batch)
  expect(errors[0]).toMatchObject({
    client: firms[0]?.id,
    company: 'Batch 0 Ltd',
    message: 'This client has no e-mail address. Enter one in the client’s details.',
  })
  expect((await staff.get(lead.body['@id'])).body.customer).toMatch(/^\/api\/financial\/customers\/\d+$/)
  // A second batch creates no duplicates.
  const again = await run(false)
  expect(again.created).toBe(0)
  expect(await mine()).toHaveLength(48)
})

test('a customer batch can be stopped and resumed', async () => {
  const begun = (await boss.post(URL, { dryRun: true })).body
  const second = await boss.post(URL, { dryRun: true })
  expect([second.status, second.body['hydra:description']]).toEqual([
    409,
    'A job of this type is already running. Wait until it has finished, or stop it.',
  ])
  expect((await boss.post(`${begun['@id']}/stop`)).body.state).toBe('stopping')
  await portal.drain()
  expect((await boss.get(begun['@id'])).body).toMatchObject({ state: 'stopped', clientsRead: 0 })
  expect((await boss.post(`${begun['@id']}/resume`)).body.state).toBe('queued')
  await portal.drain()
  const done = (await boss.get(begun['@id'])).body
  expect(done.state).toBe('done')
  expect((await boss.post(`${begun['@id']}/stop`)).status).toBe(409)
})

test('a customer batch resumes without duplicates after its process has been killed', async () => {
  const begun = (await boss.post(URL, { dryRun: true })).body
  const [first] = await portal.db.tx('system', (tx) =>
    tx.rows<{ id: number }>(
      'SELECT id FROM client c WHERE id > 0 AND NOT retired AND NOT EXISTS (SELECT 1 FROM customer k WHERE k.account_id = c.id) ORDER BY id LIMIT 1',
    ),
  )
  await portal.db.tx('system', (tx) =>
    tx.rows(
      "UPDATE run SET state = 'running', begun = true, done = 1, place = to_jsonb($2::int), lease = 'gone', lease_until = now() - interval '1 second' WHERE client_id = 0 AND id = $1",
      [begun.id, first?.id],
    ),
  )
  await portal.drain()
  const done = (await boss.get(begun['@id'])).body
  expect(done.state).toBe('done')
  const lines = (await boss.get(`/api/financial/customer_batch_lines?batch=${begun['@id']}`)).body['hydra:member']
  expect(lines.some((l: { client: number }) => l.client === first?.id)).toBe(false)
})

test('only billing administrators can run a customer batch', async () => {
  expect((await staff.post(URL, { dryRun: true })).status).toBe(403)
  expect((await boss.post(URL, { dryRun: 'yes' })).status).toBe(400)
})

test('a client rejected by a customer batch leaves no data behind, and the batch continues with the others', async () => {
  const [bad, good] = [await portal.client({ company: 'Refused Ltd' }), await portal.client({ company: 'Beside Ltd' })]
  await portal.db.tx('system', (tx) =>
    tx.rows(
      "UPDATE client SET contactemail = CASE id WHEN $1 THEN 'no@address' ELSE 'b@side.example' END WHERE id = ANY($2)",
      [bad.id, [bad.id, good.id]],
    ),
  )
  const batch = await run(false)
  const lines = await readAll<{ company: string; message: string }>(
    `/api/financial/customer_batch_lines?batch=${batch['@id']}&itemsPerPage=100`,
  )
  expect(lines.find((l) => l.company === 'Refused Ltd')?.message).toContain('e-mail')
  const customers = await readAll<{ companyName: string | null }>('/api/financial/customers?itemsPerPage=100')
  expect(customers.filter((c) => ['Refused Ltd', 'Beside Ltd'].includes(c.companyName ?? ''))).toHaveLength(1)
})

test("other batch jobs and their rejected lines don't appear among customer batches", async () => {
  const other = await portal.db.tx('system', async (tx) => {
    const [row] = await tx.rows<{ id: number }>(
      "INSERT INTO run (client_id, kind, input) VALUES (0, 'test.other', '{}') RETURNING id",
    )
    await tx.rows("INSERT INTO run_refusal (client_id, run_id, line, reason) VALUES (0, $1, 1, 'Not yours')", [row?.id])
    return row?.id
  })
  expect((await boss.get(`/api/financial/customer_batches/${other}`)).status).toBe(404)
  const lines = await readAll<{ message: string }>('/api/financial/customer_batch_lines?itemsPerPage=100')
  expect(lines.map((l) => l.message)).not.toContain('Not yours')
})
