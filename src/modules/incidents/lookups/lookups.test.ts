import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'
import { lookups } from './lookup.ts'

const portal = await testPortal()
const client = await portal.client()
const api = client.as(await client.user())

const list = async (url: string) => {
  const { status, body } = await api.get(url)
  expect(status, url).toBe(200)
  return body['hydra:member'] as readonly Readonly<Record<string, unknown>>[]
}

test('every signed-in user can read the incident lists, and nobody can change them', async () => {
  for (const { url } of Object.values(lookups)) {
    const [first] = await list(url)
    expect(first, url).toMatchObject({ description: expect.stringMatching(/./), retired: false })
    expect((await api.put(String(first?.['@id']), { retired: true })).status, url).toBe(405)
    expect((await portal.anonymous.get(url)).status, url).toBe(401)
  }
})

test('the lists have the IDs and filters from the specification', async () => {
  const base = '/api/safety'
  expect((await api.get(`${base}/incident_types/7`)).body).toMatchObject({
    description: 'Fell from a height',
    requiresFallHeight: true,
  })
  expect((await api.get(`${base}/incident_jobclasses/6`)).body).toMatchObject({ atWork: false })
  expect(await list(`${base}/incident_jobclasses?riddor=true`)).toHaveLength(6)
  expect(await list(`${base}/incident_severities?riddor=true`)).toHaveLength(5)
  const parts = await list(`${base}/incident_bodyparts?hseCode[gt]=0`)
  expect(parts.map(({ hseCode }) => hseCode)).toEqual(Array.from({ length: 23 }, (_, n) => n + 1))
  expect(await list(`${base}/dangerous_occurances?pagination=false`)).toHaveLength(48)
  expect((await list(`${base}/rectification_statuses`)).find((one) => one.description === 'Rectified')).toMatchObject({
    disablesDeadline: true,
  })
  const addresses = await list(`${base}/address_types`)
  expect(addresses.map(({ code, description }) => [code, description])).toEqual([
    ['001', 'Registered address'],
    ['002', 'Other address in your organisation'],
    ['003', "Someone else's premises"],
    ['004', 'Public place'],
    ['005', 'Customer address'],
  ])
  expect((await list(`${base}/incident_injury_sustaineds`))[0]).toMatchObject({ riddorRules: { majorRule: 'allow' } })
})
