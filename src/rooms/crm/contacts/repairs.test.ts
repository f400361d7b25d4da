import { expect, test } from 'vitest'
import { now, unix } from '#kernel/time.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const CONTACTS = '/api/crm/contacts'

async function desk() {
  const client = await portal.client()
  const caller = (...roles: string[]) => client.user({ roles: ['ROLE_STAFF', ...roles] }).then((u) => client.as(u))
  const [one, other, admin] = [await caller(), await caller(), await caller('ROLE_LEADS_ADMIN')]
  const lead = (await one.post(CONTACTS, { companyName: 'Acme' })).body['@id'] as string
  return { client, one, other, admin, lead }
}

test('a note is changed by its author; others pin it, administrators put it away with a reason', async () => {
  const { one, other, admin, lead } = await desk()
  const second = (await one.post(CONTACTS, { companyName: 'Other' })).body['@id']
  const note = (await one.post('/api/crm/actions', { contact: lead, notes: 'Said' })).body['@id']
  for (const change of [{ notes: 'x' }, { minutes: 900 }, { retired: true }, { contact: second }])
    expect([change, (await other.put(note, change)).status]).toEqual([change, 403])
  expect((await other.put(note, { sticky: true })).status).toBe(200)
  expect((await one.put(note, { contact: second })).status).toBe(403)
  expect((await one.put(note, { notes: 'Said more' })).body.notes).toBe('Said more')
  expect((await admin.put(note, { notes: 'x' })).status).toBe(403)
  expect((await admin.put(note, { retired: true })).status).toBe(422)
  expect((await admin.put(note, { retired: true, reason: 'Not for this lead' })).body.retired).toBe(true)
})

test('an outcome is not taken back over what a colleague has changed since', async () => {
  const { one, admin, lead } = await desk()
  const { note } = (await one.post(`${lead}/outcomes`, { result: 18 })).body
  const [owner] = (await admin.get('/api/crm/staff?tray=false')).body['hydra:member']
  expect((await admin.put(lead, { owner: owner['@id'] })).status).toBe(200)
  expect((await one.post(`${lead}/undo`, { note: note.id })).status).toBe(409)
  expect((await admin.get(lead)).body.owner['@id']).toBe(owner['@id'])
})

test('a callback is still to come, and within five years', async () => {
  const { one, lead } = await desk()
  for (const date of [1, -1, unix(now()) - 3600, unix(now().add({ hours: 24 * 366 * 6 }))])
    expect([date, (await one.post(`${lead}/outcomes`, { result: 31, date })).status]).toEqual([date, 422])
  expect((await one.post(`${lead}/outcomes`, { result: 31, date: unix(now()) + 600 })).status).toBe(200)
})

test('a business type is there once, whatever its capitals', async () => {
  const keeper = await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] })
  const admin = portal.provider.as(keeper)
  const name = `Trade ${now().epochMilliseconds}`
  expect((await admin.post('/api/crm/business_types', { name })).status).toBe(201)
  expect((await admin.post('/api/crm/business_types', { name: name.toUpperCase() })).status).toBe(422)
})

test('what is searched for is counted', async () => {
  const { one } = await desk()
  expect((await one.get(`${CONTACTS}/count?lastResult.category=SEARCH&q=Acme`)).body.count).toBe(1)
})

test('the last administrator of a company stays one', async () => {
  const client = await portal.client()
  const person = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  expect((await client.as(person).put(person.iri, { roles: [] })).status).toBe(409)
  await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  expect((await client.as(person).put(person.iri, { roles: [] })).status).toBe(200)
})

test('details of a client that staff change are noted by either address', async () => {
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  const { iri } = await portal.client({ company: 'Before Ltd' })
  const { body } = await staff.post(CONTACTS, { companyName: 'Before Ltd', client: iri })
  expect((await staff.put(iri, { city: 'York' })).status).toBe(200)
  await portal.drain()
  const notes = (await staff.get(`${body['@id']}/actions`)).body['hydra:member']
  expect(notes.map((n: { notes: string }) => n.notes)).toEqual(['Updated Client details'])
})
