import { expect, test } from 'vitest'
import { now, toUnixSeconds } from '#kernel/time.ts'
import { testPortal } from '#test/support/portal.ts'

// Tests for numbered fixes in lead handling. The other fixes are tested elsewhere: 1 in `staff/leaving.test.ts` and
// `staff/staff.test.ts`, 2 in `mail/letters.test.ts`, 3 in `billing/acceptance/history.test.ts`, 5 and 14 in
// `trays-apart.test.ts`, 10 in `do-not-call/do-not-call.test.ts`, 11 in `timeline/timeline.test.ts`, 12 in the
// end-to-end test `walk.spec.ts`, 15 in `test/contract/maintenance.test.ts`, and the remainder of 16 in
// `identity/sessions/sign-in-limits.test.ts` and `identity/passwords/password.test.ts`.

const portal = await testPortal()
const CONTACTS = '/api/crm/contacts'
const RESULT = '/api/crm/last_results'

async function desk() {
  const client = await portal.client()
  const caller = (...roles: string[]) => client.user({ roles: ['ROLE_STAFF', ...roles] }).then((u) => client.as(u))
  const [one, other, admin] = [await caller(), await caller(), await caller('ROLE_LEADS_ADMIN')]
  const lead = (await one.post(CONTACTS, { companyName: 'Acme' })).body['@id'] as string
  return { client, one, other, admin, lead }
}

test('a note can be changed only by its author, pinned by others, and retired by administrators with a reason', async () => {
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

test('a sale can be changed only by its author, pinned by others, and retired by administrators with a reason', async () => {
  const { one, other, admin, lead } = await desk()
  const second = (await one.post(CONTACTS, { companyName: 'Other' })).body['@id']
  const made = (
    await one.post('/api/crm/sales', { contact: lead, notes: 'Sales value', lastResult: `${RESULT}/42`, sticky: true })
  ).body
  expect(made).toMatchObject({ lastResult: { id: 42 }, sticky: true })
  const sale = made['@id']
  const somebody = (await other.get('/api/crm/staff?tray=false')).body['hydra:member'].at(-1)['@id']
  for (const change of [{ notes: 'x' }, { minutes: 9 }, { retired: true }, { contact: second }])
    expect([change, (await other.put(sale, change)).status]).toEqual([change, 403])
  expect((await other.put(sale, { user: somebody })).body.user['@id']).toBe(made.user['@id'])
  expect((await other.put(sale, { sticky: false })).body.sticky).toBe(false)
  expect((await one.put(sale, { lastResult: `${RESULT}/47` })).status).toBe(403)
  expect((await one.put(sale, { notes: 'Sold more' })).body.notes).toBe('Sold more')
  expect((await admin.put(sale, { notes: 'x' })).status).toBe(403)
  expect((await admin.put(sale, { retired: true })).status).toBe(422)
  expect((await admin.put(sale, { retired: true, reason: 'Entered twice' })).body.retired).toBe(true)
})

test("an outcome sent from an outdated page is rejected after a colleague's change", async () => {
  const { one, other, lead } = await desk()
  const { outcomes } = (await one.get(lead)).body
  expect((await other.post(`${lead}/outcomes`, { result: 4, outcomes })).status).toBe(200)
  expect((await one.post(`${lead}/outcomes`, { result: 31, outcomes })).status).toBe(409)
  expect((await one.get(lead)).body).toMatchObject({ doNotCall: true, callbackDate: null })
})

test("a new caller can be assigned leads before the caller's first action", async () => {
  const { client, admin } = await desk()
  const fresh = await client.user({ roles: ['ROLE_STAFF'] })
  const body = { companyName: 'Sort order', owner: `/api/crm/staff/${fresh.username}` }
  expect((await client.as(fresh).post(CONTACTS, body)).status).toBe(201)
  expect((await admin.post(CONTACTS, body)).body.owner.username).toBe(fresh.username)
})

test("the caller's own callbacks come before those of others, and unassigned leads before a colleague's", async () => {
  const { client, admin } = await desk()
  const [jane, tom] = [await client.user({ roles: ['ROLE_STAFF'] }), await client.user({ roles: ['ROLE_STAFF'] })]
  const make = (companyName: string, owner: string | null, late: number) =>
    admin.post(CONTACTS, { companyName, owner, callbackDate: toUnixSeconds(now()) - late })
  await admin.put((await admin.get(CONTACTS)).body['hydra:member'][0]['@id'], { retired: true })
  await make('His', `/api/crm/staff/${tom.username}`, 9000)
  await make('Nobody’s', null, 600)
  await make('Hers', `/api/crm/staff/${jane.username}`, 60)
  const given: string[] = []
  for (let lead = (await client.as(jane).get(`${CONTACTS}/next`)).body.next; lead; ) {
    given.push(lead.companyName)
    lead = (await client.as(jane).post(`${lead['@id']}/outcomes`, { result: 47 })).body.next
  }
  expect(given).toEqual(['Hers', 'Nobody’s', 'His'])
  const own = await client.as(jane).get(`${CONTACTS}?owner.user=${jane.id}&order[callbackDate]=asc`)
  expect(own.body['hydra:member'].map((l: { companyName: string }) => l.companyName)).toEqual(['Hers'])
})

test('a caller does not get a skipped lead again on the same day, even if others skip it too', async () => {
  const { one, other, lead } = await desk()
  expect((await one.post(`${lead}/outcomes`, { result: 49 })).body.next).toBeNull()
  expect((await other.get(`${CONTACTS}/next`)).body.next['@id']).toBe(lead)
  const { note } = (await other.post(`${lead}/outcomes`, { result: 49 })).body
  for (const as of [one, other]) expect((await as.get(`${CONTACTS}/next`)).body.next).toBeNull()
  // After the undo, only the first caller has skipped the lead.
  expect((await other.post(`${lead}/undo`, { note: note.id })).status).toBe(200)
  await other.post(`${lead}/lease`, { release: true })
  expect((await one.get(`${CONTACTS}/next`)).body.next).toBeNull()
  expect((await other.get(`${CONTACTS}/next`)).body.next['@id']).toBe(lead)
})

test("an opt-out applies to every lead with the number, and callers can't lift it", async () => {
  const { one, admin } = await desk()
  const make = async (companyName: string) =>
    (await one.post(CONTACTS, { companyName, phone: '01632 960777' })).body['@id'] as string
  const [first, second] = [await make('One'), await make('Two')]
  await one.put(first, { doNotCall: true })
  expect((await one.get(second)).body.doNotCall).toBe(true)
  expect((await one.put(second, { doNotCall: false, callAgainReason: 'They rang us' })).status).toBe(403)
  expect((await admin.put(second, { doNotCall: false })).status).toBe(422)
  expect((await admin.put(second, { doNotCall: false, callAgainReason: 'They rang us' })).status).toBe(200)
  expect((await one.get(first)).body.doNotCall).toBe(false)
})

test('lead searches, notes and sales have links to the next page, and notes have timestamps', async () => {
  const { one, lead } = await desk()
  for (const text of ['Sort order', 'Second']) {
    await one.post('/api/crm/actions', { contact: lead, notes: text })
    await one.post('/api/crm/sales', { contact: lead, notes: text })
    await one.post(CONTACTS, { companyName: `Searched ${text}` })
  }
  for (const url of [`${CONTACTS}/search?companyName=Searched`, `${lead}/actions`, `${lead}/sales`]) {
    const joined = url.includes('?') ? '&' : '?'
    const { body } = await one.get(`${url}${joined}itemsPerPage=1`)
    expect([url, typeof body['hydra:view']['hydra:next']]).toEqual([url, 'string'])
    const next = await one.get(body['hydra:view']['hydra:next'])
    expect([url, next.body['hydra:member'].length]).toEqual([url, 1])
  }
  const { actions } = (await one.get(lead)).body
  const told = (await one.get(actions)).body['hydra:member']
  expect(told.map((n: { timestamp: string }) => typeof n.timestamp)).toEqual(['string', 'string'])
})

test("the CRM's view of a client includes the client's lead and products", async () => {
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  const { id, iri } = await portal.client({ company: 'Client Ltd' })
  const { body: lead } = await staff.post(CONTACTS, { companyName: 'Client Ltd', client: iri, email: 'a@example.com' })
  const { body } = await staff.get(`/api/crm/clients/${id}`)
  expect(body.contact).toMatchObject({ '@id': lead['@id'], email: 'a@example.com' })
  expect(Array.isArray(body.applications)).toBe(true)
})

test("client users can't list internal roles or role categories by omitting the filter", async () => {
  const { client } = await desk()
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  for (const list of ['/api/portal/roles', '/api/portal/role_categories']) {
    const rows = (await admin.get(list)).body['hydra:member'] as { internal: boolean }[]
    expect([list, rows.length > 0, rows.some((r) => r.internal)]).toEqual([list, true, false])
  }
})

test("staff can impersonate a client's user without a reason if none is required", async () => {
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  const { client } = await desk()
  const person = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  const { status } = await staff.get(`/api/security/user/switch?username=${person.username}&client=${client.id}`)
  expect(status).toBe(200)
})

test('a typed company number is normalised, and “& Sons Ltd” is found as a possible duplicate of “and Sons”', async () => {
  const { one } = await desk()
  const { body } = await one.post(CONTACTS, { companyName: 'Hill & Sons Ltd', companyNumber: '1234567' })
  expect(body.companyNumber).toBe('01234567')
  const byNumber = await one.get(`${CONTACTS}/dupes?companyNumber=1234567`)
  const byName = await one.get(`${CONTACTS}/dupes?companyName=${encodeURIComponent('Hill and Sons')}`)
  for (const found of [byNumber, byName]) expect(found.body['hydra:member'][0]['@id']).toBe(body['@id'])
})

test("undoing an outcome does not overwrite a colleague's later change", async () => {
  const { one, admin, lead } = await desk()
  const { note } = (await one.post(`${lead}/outcomes`, { result: 18 })).body
  const [owner] = (await admin.get('/api/crm/staff?tray=false')).body['hydra:member']
  expect((await admin.put(lead, { owner: owner['@id'] })).status).toBe(200)
  expect((await one.post(`${lead}/undo`, { note: note.id })).status).toBe(409)
  expect((await admin.get(lead)).body.owner['@id']).toBe(owner['@id'])
})

test('a callback must be in the future and within five years', async () => {
  const { one, lead } = await desk()
  for (const date of [1, -1, toUnixSeconds(now()) - 3600, toUnixSeconds(now().add({ hours: 24 * 366 * 6 }))])
    expect([date, (await one.post(`${lead}/outcomes`, { result: 31, date })).status]).toEqual([date, 422])
  expect((await one.post(`${lead}/outcomes`, { result: 31, date: toUnixSeconds(now()) + 600 })).status).toBe(200)
})

test('names of business types are unique, regardless of capital letters', async () => {
  const keeper = await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] })
  const admin = portal.provider.as(keeper)
  const name = `Trade ${now().epochMilliseconds}`
  expect((await admin.post('/api/crm/business_types', { name })).status).toBe(201)
  expect((await admin.post('/api/crm/business_types', { name: name.toUpperCase() })).status).toBe(422)
})

test('the leads that match a search can be counted', async () => {
  const { one } = await desk()
  expect((await one.get(`${CONTACTS}/count?lastResult.category=SEARCH&q=Acme`)).body.count).toBe(1)
})

test("the administrator role can't be removed from the last administrator of a company", async () => {
  const client = await portal.client()
  const person = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  expect((await client.as(person).put(person.iri, { roles: [] })).status).toBe(409)
  await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  expect((await client.as(person).put(person.iri, { roles: [] })).status).toBe(200)
})

test("editing a client's details as staff adds a note to the client's lead", async () => {
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  const { iri } = await portal.client({ company: 'Before Ltd' })
  const { body } = await staff.post(CONTACTS, { companyName: 'Before Ltd', client: iri })
  expect((await staff.put(iri, { city: 'York' })).status).toBe(200)
  await portal.drain()
  const notes = (await staff.get(`${body['@id']}/actions`)).body['hydra:member']
  expect(notes.map((n: { notes: string }) => n.notes)).toEqual(['Updated Client details'])
})

test('lead administrators can record an outcome for many leads in one request, without affecting call figures', async () => {
  const { one, admin, lead } = await desk()
  const other = (await one.post(CONTACTS, { companyName: 'Other' })).body['@id'] as string
  const ids = [lead, other].map((iri) => Number(iri.split('/').at(-1)))
  const body = { action: 'close', ids, input: { result: '/api/crm/outcomes/3', notes: 'Closed for winter' } }
  expect((await one.post(`${CONTACTS}/bulk`, body)).status).toBe(403)
  expect((await admin.post(`${CONTACTS}/bulk`, body)).body.done).toEqual(ids)
  for (const url of [lead, other]) {
    const now = (await admin.get(url)).body
    expect([now.lastResult.id, now.outcome.endsWith('/3'), now.expiry > 0]).toEqual([3, true, true])
    const [note] = (await admin.get(`${url}/actions`)).body['hydra:member']
    expect([note.lastResult.id, note.notes]).toEqual([
      40,
      expect.stringMatching(/without a call[\s\S]*Closed for winter/),
    ])
  }
  expect((await admin.get('/api/crm/calls')).body['hydra:totalItems']).toBe(0)
  const skip = await admin.post(`${CONTACTS}/bulk`, { ...body, input: { result: '/api/crm/outcomes/49' } })
  expect([skip.body.done, skip.body.refused.length]).toEqual([[], 2])
})
