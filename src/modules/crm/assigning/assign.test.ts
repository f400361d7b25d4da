import { expect, test } from 'vitest'
import { londonDate, now } from '#kernel/time.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const [CONTACTS, STAFF] = ['/api/crm/contacts', '/api/crm/staff']

async function floor() {
  const client = await portal.client()
  const boss = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'], username: 'boss' }))
  const caller = async (username: string, more: Record<string, unknown> = {}) => {
    await client.user({ roles: ['ROLE_STAFF'], username })
    const { body } = await boss.put(`${STAFF}/${username}`, more)
    return body['@id'] as string
  }
  await boss.put(`${STAFF}/boss`, { mostLeads: 0 })
  const make = async (companyName: string, more: object = {}) =>
    (await boss.post(CONTACTS, { companyName, ...more })).body['@id'] as string
  return { client, boss, caller, make }
}

const ownersOf = async (as: TestApi, leads: readonly string[]) => {
  const owners: (string | null)[] = []
  for (const lead of leads) owners.push((await as.get(lead)).body.owner?.username ?? null)
  return owners
}

test('leads are assigned as the dry run showed, within capacity and respecting absences, and the assignment can be undone', async () => {
  const { boss, caller, make } = await floor()
  const [ann] = [await caller('ann', { mostLeads: 2 }), await caller('ben')]
  await caller('cat', { awayUntil: londonDate(now()).toString() })
  await make('Hers already', { owner: ann })
  const leads: string[] = []
  for (const n of [1, 2, 3, 4, 5]) leads.push(await make(`Lead ${n}`, n === 1 ? { owner: ann } : {}))
  const body = { ids: leads }
  const dry = await boss.post(`${CONTACTS}/assign`, { ...body, dryRun: true })
  expect(dry.status).toBe(200)
  expect(dry.body).toMatchObject({
    found: 5,
    left: 0,
    away: [{ name: 'cat' }],
    people: [
      { name: 'boss', most: 0, gets: 0 },
      { name: 'ann', open: 2, most: 2, gets: 0 },
      { name: 'ben', open: 0, most: null, gets: 5 },
    ],
  })
  expect(await ownersOf(boss, leads)).toEqual(['ann', null, null, null, null])
  await boss.put(`${STAFF}/ann`, { mostLeads: 4 })
  const made = await boss.post(`${CONTACTS}/assign`, body)
  expect(made.status).toBe(202)
  await portal.drain()
  expect((await boss.get(made.body.run)).body).toMatchObject({ state: 'done', done: 4, tally: { unchanged: 1 } })
  expect(await ownersOf(boss, leads)).toEqual(['ann', 'ben', 'ann', 'ben', 'ben'])
  const [note] = (await boss.get(`${leads[1]}/actions`)).body['hydra:member']
  expect(note.notes).toBe('Owner: blank → ben')
  await boss.put(leads[2] ?? '', { owner: `${STAFF}/boss` })
  await boss.post(`${made.body.run}/undo`, {})
  await portal.drain()
  // A lead that was reassigned after the batch job stays with its new owner.
  expect(await ownersOf(boss, leads)).toEqual(['ann', null, 'boss', null, null])
})

test('all leads in a filtered list are assigned to the chosen people if the number of leads matches the confirmed number', async () => {
  const { boss, caller, make } = await floor()
  const ann = await caller('ann')
  await caller('ben')
  const leads = [await make('Roof One'), await make('Roof Two'), await make('Other')]
  const url = `${CONTACTS}/assign?companyName=Roof`
  expect((await boss.post(url, { all: true, to: [ann] })).status).toBe(400)
  expect((await boss.post(url, { all: true, count: 3, to: [ann] })).status).toBe(409)
  expect((await boss.post(url, { all: true, count: 2, to: [ann] })).status).toBe(202)
  await portal.drain()
  expect(await ownersOf(boss, leads)).toEqual(['ann', 'ann', null])
})

test("only lead administrators can assign leads, and only to their own client's sales staff", async () => {
  const { client, boss, caller, make } = await floor()
  const lead = await make('Lead')
  await caller('ann')
  const plain = client.as(await client.user({ roles: ['ROLE_STAFF'] }))
  expect((await plain.post(`${CONTACTS}/assign`, { ids: [lead] })).status).toBe(403)
  const stranger = await floor()
  const dry = await stranger.boss.post(`${CONTACTS}/assign`, { ids: [lead], dryRun: true })
  expect(dry.body.found).toBe(0)
  expect((await boss.post(`${CONTACTS}/assign`, {})).status).toBe(400)
  await boss.put(`${STAFF}/ann`, { retired: true })
  expect((await boss.post(`${CONTACTS}/assign`, { ids: [lead], to: [`${STAFF}/ann`] })).status).toBe(422)
  await boss.put(`${STAFF}/boss`, { awayUntil: '2999-01-01' })
  for (const { '@id': id } of (await boss.get(`${STAFF}?retired=false&tray=false`)).body['hydra:member'])
    await boss.put(id, { mostLeads: 0 })
  expect((await boss.post(`${CONTACTS}/assign`, { ids: [lead] })).status).toBe(409)
})
