import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, type TestClient, type TestResponse, type TestUser, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const CONTACTS = '/api/crm/contacts'
let client: TestClient
let [jane, tom]: TestUser[] = []
let asJane: TestApi
let asTom: TestApi
let admin: TestApi
const lead: Record<'janes' | 'toms' | 'free', string> = { janes: '', toms: '', free: '' }
const staff: Record<string, string> = {}

const choose = () =>
  portal.db.tx('system', (tx) => tx.rows('UPDATE client SET own_leads = true WHERE id = $1', [client.id]))

const idsOf = ({ body }: TestResponse): string[] => body['hydra:member'].map((m: { '@id': string }) => m['@id'])

beforeAll(async () => {
  client = await portal.client()
  ;[jane, tom] = [
    await client.user({ roles: ['ROLE_STAFF'], username: 'jane' }),
    await client.user({ roles: ['ROLE_STAFF'], username: 'tom' }),
  ]
  admin = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] }))
  await choose()
  asJane = client.as(jane as TestUser)
  asTom = client.as(tom as TestUser)
  for (const member of (await admin.get('/api/crm/staff?pagination=false')).body['hydra:member'])
    staff[member.username] = member['@id']
  const make = async (companyName: string, owner: string | null, phone: string) =>
    (await admin.post(CONTACTS, { companyName, owner, phone })).body['@id'] as string
  lead.janes = await make('Hers Ltd', staff.jane ?? '', '01632 960301')
  lead.toms = await make('His Ltd', staff.tom ?? '', '01632 960302')
  lead.free = await make('Free Ltd', null, '01632 960303')
})

describe('callers limited to their own leads', () => {
  test('callers limited to their own leads find only their own and unassigned leads in lists, searches and counts', async () => {
    expect(idsOf(await asJane.get(CONTACTS)).toSorted()).toEqual([lead.janes, lead.free].toSorted())
    expect(idsOf(await asJane.get(`${CONTACTS}/search?companyName=Ltd`)).toSorted()).toEqual(
      [lead.janes, lead.free].toSorted(),
    )
    expect(idsOf(await asJane.get(`${CONTACTS}?q=960302`))).toEqual([])
    expect((await asJane.get(`${CONTACTS}/counts`)).body).toMatchObject({ ALL: 2, NEW: 2 })
    expect((await asJane.get(`${CONTACTS}/count?lastResult.category=NEW`)).body.count).toBe(2)
    expect((await asJane.get(`${CONTACTS}/count?owner=${staff.tom}`)).body.count).toBe(0)
    expect((await asJane.get(`${CONTACTS}/counts?exists[owner]=false`)).body.ALL).toBe(1)
    expect((await admin.get(`${CONTACTS}/counts`)).body.ALL).toBe(3)
    expect((await asJane.get(`${CONTACTS}/export.csv`)).text).not.toContain('His Ltd')
  })

  test("callers limited to their own leads have no access to a colleague's leads through any route", async () => {
    const id = lead.toms.split('/').at(-1)
    const note = await asTom.post('/api/crm/actions', { contact: lead.toms, notes: 'Only his' })
    const sale = await asTom.post('/api/crm/sales', { contact: lead.toms, notes: 'Sales value' })
    const person = await asTom.post('/api/crm/people', { contact: lead.toms, name: 'Partner' })
    expect([note.status, sale.status, person.status]).toEqual([201, 201, 201])
    for (const url of [
      lead.toms,
      `${lead.toms}/actions`,
      `${lead.toms}/sales`,
      note.body['@id'],
      sale.body['@id'],
      person.body['@id'],
      `/api/crm/supported/${id}`,
    ])
      expect([url, (await asJane.get(url)).status]).toEqual([url, 404])
    for (const list of ['actions', 'sales', 'people', 'files', 'calls', 'referrals'])
      expect(JSON.stringify((await asJane.get(`/api/crm/${list}`)).body)).not.toMatch(/Only his|Partner|His Ltd/)
    expect(idsOf(await asJane.get('/api/crm/actions'))).not.toContain(note.body['@id'])
    expect(idsOf(await asJane.get('/api/crm/people?q=Partner'))).toEqual([])
    expect((await asJane.put(lead.toms, { city: 'Leeds' })).status).toBe(404)
    expect((await asJane.post(`${lead.toms}/lease`, {})).status).toBe(404)
    expect((await asJane.post(`${lead.toms}/outcomes`, { result: 47 })).status).toBe(404)
    expect((await asJane.post('/api/crm/actions', { contact: lead.toms, notes: 'x' })).status).toBe(400)
    expect((await asJane.put(note.body['@id'], { notes: 'x' })).status).toBe(404)
    const bulk = await asJane.post(`${CONTACTS}/bulk`, { action: 'retire', ids: [Number(id)] })
    expect(bulk.body).toMatchObject({ done: [], refused: [{ code: 'not_found', title: null }] })
    expect((await asTom.get(lead.toms)).body.retired).toBe(false)
  })

  test("callers limited to their own leads are never offered a colleague's lead to call", async () => {
    const given = new Set<string>()
    for (let i = 0; i < 3; i++) {
      const { next } = (await asJane.get(`${CONTACTS}/next?order[companyName]=desc`)).body
      if (!next) break
      given.add(next['@id'])
      await asJane.post(`${next['@id']}/outcomes`, { result: 49 })
    }
    expect(given.has(lead.toms)).toBe(false)
    expect(given.has(lead.janes)).toBe(true)
  })

  test("callers limited to their own leads see that a colleague's lead is a possible duplicate, but none of its details", async () => {
    const { body } = await asJane.get(`${CONTACTS}/dupes?phone=01632 960302`)
    expect(body).toMatchObject({ 'hydra:member': [], elsewhere: [{ same: ['phone'] }] })
    expect(JSON.stringify(body)).not.toMatch(/His|tom/i)
    expect((await admin.get(`${CONTACTS}/dupes?phone=01632 960302`)).body).toMatchObject({
      'hydra:member': [{ companyName: 'His Ltd' }],
      elsewhere: [],
    })
  })

  test("callers limited to their own leads see no duplicate pairs or merges that include a colleague's lead", async () => {
    const [toms, free] = [lead.toms, lead.free].map((iri) => Number(iri.split('/').at(-1)))
    await portal.db.tx('system', (tx) =>
      tx.rows('INSERT INTO lead_pair (client_id, first_id, second_id) VALUES ($1, $2, $3)', [client.id, toms, free]),
    )
    expect((await asJane.get('/api/crm/duplicate_pairs')).body['hydra:totalItems']).toBe(0)
    expect((await asTom.get('/api/crm/duplicate_pairs')).body['hydra:totalItems']).toBe(1)
    const [one, other] = [
      (await asTom.post(CONTACTS, { companyName: 'One of two', owner: staff.tom ?? '' })).body,
      (await asTom.post(CONTACTS, { companyName: 'Two of two' })).body,
    ]
    const { body } = await asTom.get(`${one['@id']}/merge-preview?other=${other.id}`)
    const both = { survivor: one['@id'], merged: other['@id'], take: [], fingerprint: body.fingerprint }
    const merged = await asTom.post('/api/crm/merges', both)
    expect(merged.status).toBe(201)
    expect((await asJane.get(merged.body['@id'])).status).toBe(404)
    expect((await admin.get(merged.body['@id'])).status).toBe(200)
  })

  test('callers limited to their own leads can undo an outcome that moved their lead to a tray', async () => {
    const { body } = await asTom.post(CONTACTS, { companyName: 'Later Ltd', owner: staff.tom ?? '' })
    const done = await asTom.post(`${body['@id']}/outcomes`, { result: 18 })
    expect(done.body.contact.owner.username).toMatch(/^after5/)
    const back = await asTom.post(`${body['@id']}/undo`, { note: done.body.note.id })
    expect([back.status, back.body.owner?.username]).toEqual([200, 'tom'])
  })

  test('callers limited to their own leads can reassign a lead to a colleague', async () => {
    const { body } = await asJane.post(CONTACTS, { companyName: 'Given Ltd' })
    expect((await asJane.put(body['@id'], { owner: staff.tom ?? '' })).status).toBe(200)
    expect((await asJane.get(body['@id'])).status).toBe(404)
  })

  test('callers with the “all leads” scope granted by the provider see all leads', async () => {
    const senior = await client.user({ roles: ['ROLE_STAFF'] })
    await portal.db.tx('system', (tx) =>
      tx.rows(`UPDATE user_account SET scopes = '["leads.all"]' WHERE id = $1`, [senior.id]),
    )
    expect((await client.as(senior).get(lead.toms)).status).toBe(200)
  })
})

test("only lead administrators can limit a company's callers to their own leads, with immediate effect", async () => {
  const mine = await portal.client()
  const one = mine.as(await mine.user({ roles: ['ROLE_STAFF'] }))
  const boss = mine.as(await mine.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] }))
  expect((await one.put(mine.iri, { ownLeads: true })).body.ownLeads).toBe(false)
  expect((await boss.put(mine.iri, { ownLeads: true })).body.ownLeads).toBe(true)
  expect((await one.get('/api/security/user_check')).body.choices).toEqual(['ownLeads'])
  const plain = mine.as(await mine.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  expect((await plain.get(mine.iri)).body).not.toHaveProperty('ownLeads')
})

test("only the provider's user administrators can grant scopes, and only scopes from a fixed list", async () => {
  const { provider } = portal
  const keeper = provider.as(await provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] }))
  const person = await provider.user({ roles: ['ROLE_STAFF'] })
  expect((await keeper.put(person.iri, { scopes: ['leads.all'] })).body.scopes).toEqual(['leads.all'])
  const wrong = await keeper.put(person.iri, { scopes: ['everything'] })
  expect([wrong.status, wrong.body.violations?.[0].propertyPath]).toEqual([422, 'scopes'])
  const abroad = await client.user({ roles: ['ROLE_USER_ADMIN'] })
  expect((await client.as(abroad).put((jane as TestUser).iri, { scopes: ['leads.all'] })).status).toBe(403)
})
