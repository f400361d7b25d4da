import { expect, test } from 'vitest'
import { grantPacks, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const SETUP = '/api/employees/setup_ffe'

const provider = async () =>
  portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'] }))

test('setting up employees activates the product and returns every record that it created', async () => {
  const client = await portal.client({ packs: [] })
  const before = client.as(await client.user({ roles: ['ROLE_HR'] }))
  expect((await before.get('/api/employees/records')).status).toBe(403)
  const as = await provider()
  const { status, body } = await as.post(SETUP, { client: client.id })
  expect([status, body.product.state]).toEqual([200, 'active'])
  expect(body.created.map(({ name }: { name: string }) => name)).toEqual([
    'Employees',
    'Management',
    'Office',
    'Operations',
  ])
  const hr = client.as(await client.user({ roles: ['ROLE_HR'] }))
  expect((await hr.get('/api/employees/departments')).body['hydra:totalItems']).toBe(3)
  expect((await hr.post('/api/employees/employees', { forename: 'Ann', surname: 'Day' })).status).toBe(201)
  // Repeating it creates nothing.
  expect((await as.post(SETUP, { client: client.iri })).body.created).toEqual([])
})

test('employee records of a lapsed client can be read, but not changed', async () => {
  const client = await portal.client({ packs: ['employees'] })
  const before = client.as(await client.user({ roles: ['ROLE_HR'] }))
  const iri = (await before.post('/api/employees/employees', { forename: 'Ann', surname: 'Day' })).body['@id']
  await portal.db.tx('system', (tx) => grantPacks(tx, client.id, [], ['employees']))
  const hr = client.as(await client.user({ roles: ['ROLE_HR'] }))
  expect((await hr.get('/api/employees/records')).body['hydra:totalItems']).toBe(1)
  const { status, body } = await hr.put(iri, { surname: 'Young' })
  expect([status, body.code]).toEqual([403, 'pack_lapsed'])
  expect((await hr.get('/api/employees/records/export.csv')).status).toBe(200)
})

test('each of the products employees, safety and leave includes the directory of employees', async () => {
  for (const pack of ['employees', 'safety', 'holidays']) {
    const client = await portal.client({ packs: [pack] })
    const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect((await admin.post('/api/employees/employees', { forename: 'Ann', surname: 'Day' })).status, pack).toBe(201)
  }
})
