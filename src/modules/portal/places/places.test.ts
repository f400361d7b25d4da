import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const client = await portal.client({ packs: [] })
const api = client.as(await client.user())

const list = async (url: string) => {
  const { status, body } = await api.get(url)
  expect(status, url).toBe(200)
  return body['hydra:member'] as readonly Readonly<Record<string, unknown>>[]
}

test('every signed-in user can read the countries, and nobody can change them', async () => {
  const all = await list('/api/portal/countries?pagination=false')
  expect(all).toHaveLength(249)
  expect(all[0]).toMatchObject({
    '@type': 'Country',
    code: 'GB',
    name: 'United Kingdom',
    diallingCode: '+44',
    phoneMask: '##### ### ###',
    maskType: 'specification',
  })
  expect((await list('/api/portal/countries?code=FR'))[0]).toMatchObject({ name: 'France', diallingCode: '+33' })
  expect((await api.put(String(all[0]?.['@id']), { name: 'Ours' })).status).toBe(405)
  expect((await portal.anonymous.get('/api/portal/countries')).status).toBe(401)
})

test("every signed-in user can read a country's counties", async () => {
  expect(await list('/api/portal/uk_counties?pagination=false')).toHaveLength(114)
  const northern = await list('/api/portal/uk_counties?country=Northern Ireland')
  expect(northern.map(({ name }) => name)).toContain('Tyrone')
  expect(northern).toHaveLength(6)
  expect((await list('/api/portal/uk_counties?country=GB&name=rutland'))[0]).toMatchObject({
    nation: 'England',
    kind: 'ceremonial',
  })
})

test("a client's county and country are stored as typed, even if they are on no list", async () => {
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const typed = { county: 'Middlesex (old)', country: 'Kosovo / Косово', contacttel: '+383 44 123 456' }
  expect((await admin.put(client.iri, typed)).body).toMatchObject(typed)
})
