import { beforeAll, expect, test } from 'vitest'
import { type TestApi, type TestClient, testPortal } from '#test/support/portal.ts'
import { CLIENT_PROBLEMS } from './health.ts'

const portal = await testPortal()
const LIST = '/api/portal/client_health'
let staff: TestApi
let keeper: TestApi

beforeAll(async () => {
  staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'] }))
})

const healthOf = async (client: TestClient) => {
  const { health, troubles } = (await staff.get(`${LIST}/${client.id}`)).body
  return [health, troubles]
}
const seen = (client: TestClient, ago: string) =>
  portal.db.tx('system', (tx) =>
    tx.rows(`UPDATE user_account SET last_login_at = now() - $2::interval WHERE client_id = $1`, [client.id, ago]),
  )

test("client health lists each client's problems, most severe first", async () => {
  const client = await portal.client({ packs: [] })
  expect(await healthOf(client)).toEqual(['stop', ['no-pack', 'no-administrator', 'never-signed-in']])
  const status = await keeper.post('/api/portal/app_statuses', {
    client: client.iri,
    product: '/api/portal/pack_products/1',
    hasLapsed: true,
  })
  expect(await healthOf(client)).toEqual(['stop', ['lapsed', 'no-administrator', 'never-signed-in']])
  await keeper.put(status.body['@id'], { hasLapsed: false })
  const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  expect(await healthOf(client)).toEqual(['attention', ['never-signed-in']])
  await seen(client, '31 days')
  expect(await healthOf(client)).toEqual(['attention', ['quiet']])
  await seen(client, '29 days')
  expect(await healthOf(client)).toEqual(['well', []])
  await client.as(admin).post('/api/portal/support_tickets', { subject: 'A', message: 'B', email: 'a@b.example' })
  expect(await healthOf(client)).toEqual(['attention', ['ticket']])
  expect((await staff.get(`${LIST}/${client.id}`)).body).toMatchObject({
    people: 1,
    openTickets: 1,
    packs: [{ code: 'safety', state: 'active' }],
  })
  const { body } = await keeper.put(`${LIST}/${client.id}`, { retired: true, company: 'Another name' })
  expect([body.retired, body.troubles, body.company]).toEqual([true, [], expect.not.stringContaining('Another')])
  for (const name of ['no-pack', 'lapsed', 'no-administrator', 'never-signed-in', 'quiet', 'ticket'])
    expect(CLIENT_PROBLEMS).toHaveProperty(name)
})

test('clients can be searched by company, contact, town and number, and filtered by health', async () => {
  const name = `Quillfeather ${Math.random().toString(36).slice(2)}`
  const client = await portal.client({ company: name })
  await keeper.put(client.iri, { contactname: `Ada ${name}`, city: 'Whitby', regcompno: '09876543' })
  const found = async (query: string) =>
    ((await staff.get(`${LIST}?${query}`)).body['hydra:member'] as { id: number }[]).map(({ id }) => id)
  for (const q of [name, `ada ${name}`, `whitby ${name.split(' ')[1]}`, `09876543 ${name.split(' ')[1]}`])
    expect(await found(`q=${encodeURIComponent(q)}`)).toEqual([client.id])
  expect(await found(`q=${encodeURIComponent(name)}&health=well`)).toEqual([])
  expect(await found(`q=${encodeURIComponent(name)}&health=stop`)).toEqual([client.id])
})

test("client health is visible only to the provider's staff, and read-only for staff without the administrator role", async () => {
  const client = await portal.client()
  const stray = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'] }))
  const other = await portal.client()
  expect((await stray.get(`${LIST}/${other.id}`)).status).toBe(404)
  expect((await stray.put(`${LIST}/${client.id}`, { retired: true })).status).toBe(403)
  expect((await client.as(await client.user()).get(LIST)).status).toBe(403)
  expect((await staff.put(`${LIST}/${client.id}`, { retired: true })).status).toBe(403)
})
