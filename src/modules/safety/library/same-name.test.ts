import { expect, test } from 'vitest'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const at = (path: string) => `/api/safety/${path}`

async function company() {
  const client = await portal.client()
  const keeper = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED'] }))
  const make = async (path: string, body: object, api: TestApi = keeper) => {
    const answer = await api.post(at(path), { ...body })
    expect([answer.status, answer.text]).toEqual([201, expect.anything()])
    return answer.body
  }
  return { client, keeper, make }
}
const answered = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  body.code,
  body.detail,
  body.existing,
]
const refusal = (thing: string, one: { '@id': string; name?: string; title?: string }) => [
  409,
  'already_there',
  `There is already ${thing} named “${one.name ?? one.title}”. Use the existing one, or keep both.`,
  one['@id'],
]

test('a library name that differs from another only in case, spaces or punctuation is refused unless keepBoth is sent', async () => {
  const { keeper, make } = await company()
  const group = (await make('hazard_groups', { name: 'Height' }))['@id']
  const falls = { name: 'Falls from a roof', description: 'Roofs', group }
  const hazard = await make('hazards', falls)
  const again = { ...falls, name: '  falls FROM-a  roof.' }
  expect(answered(await keeper.post(at('hazards'), again))).toEqual(refusal('a hazard', hazard))
  const both = await make('hazards', { ...again, keepBoth: true })
  expect(both.keepBoth).toBeUndefined()

  const other = await make('hazards', { ...falls, name: 'Ladders' })
  expect(answered(await keeper.put(other['@id'], { name: 'Falls from a roof!' }))).toEqual(refusal('a hazard', hazard))
  expect((await keeper.put(other['@id'], { name: 'Falls from a roof!', keepBoth: true })).status).toBe(200)
  // The spelling of an item's own name can be changed, and a new item can have the same name as a retired item.
  expect((await keeper.put(hazard['@id'], { name: 'Falls from a roof?' })).status).toBe(200)
  const gone = await make('hazards', { ...falls, name: 'Silos' })
  expect((await keeper.put(gone['@id'], { retired: true })).status).toBe(200)
  await make('hazards', { ...falls, name: 'silos' })

  // A control's name must be unique only among the controls of its hazard.
  const nets = await make('hazard_controls', { name: 'Nets', hazard: hazard['@id'] })
  expect(answered(await keeper.post(at('hazard_controls'), { name: 'nets', hazard: hazard['@id'] }))).toEqual(
    refusal('a control', nets),
  )
  await make('hazard_controls', { name: 'Nets', hazard: other['@id'] })
})

test("the names of PPE, arrangements and substances from one supplier must differ from the company's own items and the provider's shared items", async () => {
  const { keeper, make } = await company()
  const [worn] = (await keeper.get(at('ppes?client=0&itemsPerPage=1'))).body['hydra:member']
  const item = { name: worn.name, image: worn.image }
  expect(answered(await keeper.post(at('ppes'), item))).toEqual(refusal('a PPE item', worn))
  await make('ppes', { ...item, keepBoth: true })

  const thinners = { name: 'Thinners No. 2', form: 'liquid', supplier: 'Kelham Paints' }
  const substance = await make('substances', thinners)
  expect(answered(await keeper.post(at('substances'), { ...thinners, name: 'thinners no 2' }))).toEqual(
    refusal('a substance', substance),
  )
  await make('substances', { ...thinners, supplier: 'Sheaf Fixings' })

  const shared = (await keeper.get(at('policy_arrangements?client=0&shareAll=true'))).body['hydra:member'][0]
  const body = { title: shared.title.toUpperCase(), description: '<p>By plan</p>' }
  expect(answered(await keeper.post(at('policy_arrangements'), body))).toEqual(refusal('an arrangement', shared))
  await make('policy_arrangements', { ...body, title: `Cranes ${shared.id}` })
})

test("the name check doesn't reveal other companies' items or the provider's unshared ones", async () => {
  const [a, b] = [await company(), await company()]
  const one = { name: `Resin ${a.client.id}`, form: 'liquid' }
  const made = [await a.make('substances', one), await b.make('substances', one)]
  expect(made.map(({ name }) => name)).toEqual([one.name, one.name])
  const keeps = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'] }))
  const title = `Not shared ${a.client.id}`
  await a.make('policy_arrangements', { title, description: '<p>For some</p>' }, keeps)
  await a.make('policy_arrangements', { title, description: '<p>Ours</p>' })
})

test("copying a provider's item under a duplicate name requires no confirmation", async () => {
  const { keeper } = await company()
  for (const path of ['hazards', 'substances']) {
    const [one] = (await keeper.get(at(`${path}?client=0&itemsPerPage=1`))).body['hydra:member']
    const copy = await keeper.post(`${one['@id']}/copy`)
    expect([copy.status, copy.body.name]).toEqual([expect.any(Number), one.name])
    expect(copy.status).toBeLessThan(300)
  }
})
