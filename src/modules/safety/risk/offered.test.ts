import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()

interface Offered {
  readonly '@id': string
  readonly name: string
}
const members = (body: Record<string, unknown>) => body['hydra:member'] as Offered[]

const KEEPER = { roles: ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED'] }
const someone = async () => {
  const client = await portal.client()
  return client.as(await client.user(KEEPER))
}

test("suggestions start with hazards used in the trade and in the company's own documents, not in alphabetical order", async () => {
  const [api, other] = [await someone(), await someone()]
  const [industry] = members((await api.get('/api/safety/risk_industries?name=Construction')).body)
  const search = async (q: string, of = 'own', by = api) =>
    members((await by.get(`/api/safety/hazards/component_hazards_list?q=${q}&industry=${of}`)).body)
  const names = async (...asked: Parameters<typeof search>) => (await search(...asked)).map((h) => h.name)
  const builder = industry?.['@id']
  expect((await names('slip', builder))[0]).toBe('Wet or contaminated floors')
  expect((await names('dust', builder))[0]).toBe('Silica dust')
  expect((await names('vehicle', builder))[0]).toBe('Vehicles and pedestrians mixing')

  const [walkways] = await search('obstructed%20walkways')
  const paper = { description: 'Shop fit-out', complete: false, industry: builder }
  const document = (await api.post('/api/safety/risk_assessments', paper)).body['@id']
  const added = await api.post('/api/safety/risk_items', { document, hazard: walkways?.['@id'] })
  expect(added.status).toBe(201)
  expect((await names('slip'))[0]).toBe('Obstructed walkways')
  // The company's trade is derived from its documents.
  expect((await names('electric')).slice(0, 4)).not.toContain('Electric and hybrid vehicles')
  expect((await names('slip', 'own', other))[0]).toBe('Wet or contaminated floors')
  expect((await api.put(added.body['@id'], { retired: true })).status).toBe(200)
  expect((await names('slip'))[0]).toBe('Wet or contaminated floors')
})
