import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, type TestClient, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const KEEPER = ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED']
let client: TestClient
let admin: TestApi
let provider: TestApi
let ours: Record<string, string>
const idsOf = (answer: { body: { 'hydra:member': { '@id': string }[] } }) =>
  answer.body['hydra:member'].map((m) => m['@id'])

beforeAll(async () => {
  client = await portal.client()
  admin = client.as(await client.user({ roles: KEEPER }))
  provider = portal.provider.as(
    await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN', 'ROLE_BILLING_ADMIN'] }),
  )
  const make = async (as: TestApi, path: string, body: Record<string, unknown>): Promise<string> =>
    (await as.post(`/api/safety/${path}`, body)).body['@id']
  const template = await make(provider, 'hazard_groups', { name: `Aardvarks ${client.id}` })
  const own = await make(admin, 'hazard_groups', { name: `Zebras ${client.id}` })
  const hazard = (as: TestApi, group: string) =>
    make(as, 'hazards', { name: `Hazard ${client.id}`, description: 'Bites.', group, keepBoth: true })
  ours = {
    inTemplate: await hazard(admin, template),
    inOwn: await hazard(admin, own),
    template: await hazard(provider, template),
  }
  ours.control = await make(admin, 'hazard_controls', { name: 'Fence', hazard: ours.template })
})

describe('lists filtered and sorted by fields of related records', () => {
  test("a filter by a related record's field finds the client's own records whose related record is a template", async () => {
    const found = await admin.get(`/api/safety/hazard_controls?client=${client.id}&hazard.retired=false`)
    expect(idsOf(found)).toEqual([ours.control])
  })

  test("sorting by a related record's field covers shared templates and the client's own records", async () => {
    const found = await admin.get(`/api/safety/hazards?client=${client.id}&order[group.name]=asc`)
    expect(idsOf(found)).toEqual([ours.inTemplate, ours.inOwn])
  })

  test('readers with access to all clients can find records by a field of the related client', async () => {
    const made = await provider.post('/api/financial/customers', {
      email: 'brick@example.com',
      client: client.iri,
    })
    const { company } = (await provider.get(client.iri)).body
    const found = await provider.get(`/api/financial/customers?client.company=${encodeURIComponent(company)}`)
    expect(idsOf(found)).toEqual([made.body['@id']])
  })

  test("a filter by a related record's field reveals nothing about a record that the reader cannot open", async () => {
    const { company } = (await provider.get('/api/portal/clients/0')).body
    expect((await admin.get('/api/portal/clients/0')).status).toBe(404)
    const found = await admin.get(`/api/safety/hazards?client.company=${encodeURIComponent(company)}`)
    expect(found.body['hydra:totalItems']).toBe(0)
    expect(
      (await provider.get(`/api/safety/hazards?client.company=${encodeURIComponent(company)}`)).body,
    ).toMatchObject({
      'hydra:totalItems': expect.toSatisfy((n: number) => n > 0),
    })
  })
})

test("only provider staff see the client of a template, but everybody can filter templates by the provider's client number", async () => {
  const { template = '', inOwn = '' } = ours
  expect([(await admin.get(template)).body.client, (await admin.get(inOwn)).body.client]).toEqual([null, client.iri])
  expect((await provider.get(template)).body.client).toBe('/api/portal/clients/0')
  const found = await admin.get(`/api/safety/hazards?client.id=0&name=${encodeURIComponent(`Hazard ${client.id}`)}`)
  expect(idsOf(found)).toEqual([template])
})
