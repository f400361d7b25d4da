import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const LIST = '/api/safety/local_authorities'

test('every signed-in user can list the local authorities by area, but nobody can change the list', async () => {
  const client = await portal.client()
  const api = client.as(await client.user())
  const all = (await api.get(`${LIST}?pagination=false`)).body['hydra:member'] as {
    '@id': string
    country: string
    areaId: number
    riddor: boolean
  }[]
  const known = all.filter((one) => one.areaId > 0)
  const areasOf = (country: string) => [
    ...new Set(known.filter((one) => one.country === country).map((one) => one.areaId)),
  ]
  expect(areasOf('England').toSorted((a, b) => a - b)).toEqual(Array.from({ length: 44 }, (_, n) => n + 1))
  expect([areasOf('Scotland'), areasOf('Wales')]).toEqual([[48], [49]])
  expect(known.filter((one) => one.riddor === (one.country === 'Northern Ireland'))).toEqual([])
  const { body } = await api.get(`${LIST}?area=bedfordshire&order[name]=asc&retired=false`)
  expect(body['hydra:member'][0]).toMatchObject({ name: 'Bedford', gssCode: 'E06000055', numericCode: 106_000_055 })
  const northern = (await api.get(`${LIST}?country=Northern Ireland&areaId=50`)).body['hydra:member']
  expect(northern.map(({ name, riddor }: { name: string; riddor: boolean }) => [name, riddor])).toContainEqual([
    'Belfast',
    false,
  ])
  expect(northern).toHaveLength(11)
  expect((await api.get(`${LIST}?country=Scotland&areaId=48&pagination=false`)).body['hydra:member']).toHaveLength(32)
  expect((await api.put(all[0]?.['@id'] ?? '', { name: 'My views' })).status).toBe(405)
  expect((await portal.anonymous.get(LIST)).status).toBe(401)
})
