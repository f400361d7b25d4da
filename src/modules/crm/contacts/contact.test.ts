import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, type TestClient, type TestUser, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const CONTACTS = '/api/crm/contacts'
let client: TestClient
let caller: TestUser
let as: TestApi

beforeAll(async () => {
  client = await portal.client()
  caller = await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'], name: 'Jane Caller' })
  as = client.as(caller)
})
const lead = async (more: Record<string, unknown> = {}) =>
  (await as.post(CONTACTS, { companyName: 'Acme', phone: '01632 960123', ...more })).body
const notes = async (it: { '@id': string }, query = '') =>
  (await as.get(`${it['@id']}/actions${query}`)).body['hydra:member']

describe('a new lead', () => {
  test('a new lead has all fields needed for calls, with their default values', async () => {
    expect(await lead()).toMatchObject({
      subContractors: '10',
      employees: '10',
      category: 'NEW',
      doNotCall: false,
      owner: null,
    })
    expect(await lead({ subContractors: 'SELECT', employees: "I didn't ask" })).toMatchObject({
      subContractors: 'SELECT',
      employees: "I didn't ask",
    })
  })

  test('a new lead needs a name or contact details', async () => {
    for (const body of [{}, { city: 'Leeds' }, { companyName: '', name: '  ', phone: '', email: null }]) {
      const { status, body: said } = await as.post(CONTACTS, body)
      expect([status, said.violations[0].propertyPath]).toEqual([422, 'companyName'])
    }
    for (const body of [{ name: 'Jo' }, { mobile: '07700 900123' }, { email: 'no' }])
      expect((await as.post(CONTACTS, body)).status).toBe(201)
  })
})

describe('editing a lead', () => {
  test('editing a lead adds a note with the edit result (40) that lists each change with its old and new value', async () => {
    const it = await lead({ name: 'Jo', employees: '5' })
    await as.put(it['@id'], { name: 'Joanna', employees: '11-20', city: 'Leeds', phone: '', ir35: true })
    const [note, ...none] = await notes(it)
    expect(none).toEqual([])
    expect(note).toMatchObject({
      lastResult: { '@id': '/api/crm/last_results/40' },
      author: caller.username,
      user: { username: caller.username },
      minutes: 0,
      sticky: false,
    })
    expect(note.notes.split('\n').sort()).toEqual([
      'City: blank → Leeds',
      'Contact name: Jo → Joanna',
      'Employees: 5 → 11-20',
      'IR35: no → yes',
      'Phone: 01632 960123 → blank',
    ])
  })

  test('the note about an edit shows the owner and source by name', async () => {
    await as.post('/api/crm/staff', { username: 'tom', name: 'Tom Owner' })
    const it = await lead()
    const [source] = (await as.get('/api/crm/came_froms')).body['hydra:member']
    await as.put(it['@id'], { owner: '/api/crm/staff/tom', cameFrom: source['@id'] })
    expect((await notes(it))[0].notes.split('\n').sort()).toEqual([
      `Lead source: blank → ${source.name}`,
      'Owner: blank → Tom Owner',
    ])
    await as.put(it['@id'], { owner: null })
    expect((await notes(it))[0].notes).toBe('Owner: Tom Owner → blank')
  })

  test('editing only fields that the specification excludes adds no note', async () => {
    const it = await lead()
    const [type] = (await as.get('/api/crm/business_types')).body['hydra:member']
    const { body: customer } = await as.post('/api/financial/customers', { email: 'bought@example.com' })
    const change = {
      expiry: 1_900_000_000,
      callbackDate: 1_900_000_000,
      lastResult: '/api/crm/last_results/5',
      customer: customer['@id'],
      businessType: type['@id'],
      updatedAt: '2020-01-01T00:00:00+00:00',
      lastResults: [],
      callback: 5,
    }
    const { status, body } = await as.put(it['@id'], change)
    expect([status, body.expiry, body.category]).toEqual([200, 1_900_000_000, 'PFP'])
    expect(await notes(it)).toEqual([])
  })

  test('a lead can be linked to one of our customers, and is found by that customer', async () => {
    const it = await lead()
    const { body: customer } = await as.post('/api/financial/customers', { email: 'buyer@example.com' })
    expect((await as.put(it['@id'], { customer: 'a customer of ours' })).status).toBe(400)
    expect((await as.put(it['@id'], { customer: customer['@id'] })).body.customer).toBe(customer['@id'])
    for (const by of [customer['@id'], customer.id])
      expect(
        (await as.get(`${CONTACTS}?customer=${by}`)).body['hydra:member'].map((c: { id: number }) => c.id),
      ).toEqual([it.id])
  })

  test('the note about an edit omits excluded fields that changed in the same request', async () => {
    const it = await lead()
    await as.put(it['@id'], { callbackDate: 1_900_000_000, postcode: 'LS1 1AA' })
    expect((await notes(it))[0].notes).toBe('Postcode: blank → LS1 1AA')
  })

  test('saving a lead unchanged adds no note, even if all its fields are sent', async () => {
    const it = (await as.get((await lead({ owner: null }))['@id'])).body
    const { status, body } = await as.put(it['@id'], it)
    expect([status, body.updatedAt]).toEqual([200, it.updatedAt])
    await as.patch(it['@id'], {})
    expect(await notes(it)).toEqual([])
  })

  test('a rejected edit adds no note', async () => {
    const it = await lead()
    expect((await as.put(it['@id'], { name: 'Jo', email: 'not an address' })).status).toBe(422)
    expect((await as.put(it['@id'], { companyName: '', phone: '' })).status).toBe(422)
    expect(await notes(it)).toEqual([])
    expect((await as.get(it['@id'])).body.name).toBeNull()
  })

  test("HTML in a lead's fields is stored as plain text", async () => {
    const it = await lead()
    const evil = '<img src=x onerror=alert(1)>'
    expect((await as.put(it['@id'], { name: evil })).body.name).toBe(evil)
    expect((await notes(it))[0].notes).toBe(`Contact name: blank → ${evil}`)
  })
})

describe("a lead's notes", () => {
  test('notes are listed pinned first and then latest first, with retired notes only on request', async () => {
    const it = await lead()
    const post = async (text: string, more = {}) =>
      (await as.post('/api/crm/actions', { contact: it['@id'], notes: text, ...more })).body
    await post('one', { sticky: true })
    await post('two')
    const gone = await post('three')
    await post('four')
    await as.put(gone['@id'], { retired: true })
    const said = async (query?: string) => (await notes(it, query)).map((n: { notes: string }) => n.notes)
    expect(await said()).toEqual(['one', 'four', 'two'])
    expect(await said('?order[id]=ASC')).toEqual(['one', 'two', 'four'])
    expect(await said('?retired=true')).toEqual(['three'])
    expect(await said('?order[sticky]=desc&order[id]=desc&retired=false&itemsPerPage=1')).toEqual(['one'])
  })

  test("a lead's notes are paginated like every list", async () => {
    const it = await lead()
    for (const notes of ['one', 'two']) await as.post('/api/crm/actions', { contact: it['@id'], notes })
    const url = `${it['@id']}/actions`
    const { body } = await as.get(`${url}?itemsPerPage=1`)
    expect(body).toMatchObject({ '@context': '/api/contexts/Note', '@id': url, 'hydra:totalItems': 2 })
    expect(body['hydra:view']).toMatchObject({
      'hydra:last': `${url}?itemsPerPage=1&page=2`,
      'hydra:next': `${url}?itemsPerPage=1&page=2`,
    })
    expect((await as.get(body['hydra:view']['hydra:next'])).body['hydra:member'][0].notes).toBe('one')
    const found = await as.get(`${CONTACTS}/search?companyName=${btoa('Acme')}&itemsPerPage=1&page=1`)
    expect(found.body['hydra:view']['@id']).toContain(`${CONTACTS}/search?companyName=`)
  })

  test("a lead's notes URL returns only that lead's notes, even if the query names another lead", async () => {
    const [it, other] = [await lead(), await lead()]
    await as.post('/api/crm/actions', { contact: other['@id'], notes: 'theirs' })
    for (const q of [`?contact=${other.id}`, `?contact[]=${other.id}`, `?contact=${other['@id']}&contact=${it.id}`])
      expect(await notes(it, q)).toEqual([])
    expect((await as.get(`${CONTACTS}/99999999/actions`)).status).toBe(404)
    expect((await as.get(`${CONTACTS}/abc/sales`)).status).toBe(404)
  })

  test('a note belongs to its author, or to the user named in the request', async () => {
    await as.post('/api/crm/staff', { username: 'ann', name: 'Ann' })
    const it = await lead()
    const make = (more: object) => as.post('/api/crm/actions', { contact: it['@id'], notes: 'x', ...more })
    expect((await make({})).body.user.username).toBe(caller.username)
    expect((await make({ user: '/api/crm/staff/ANN' })).body).toMatchObject({
      user: { username: 'ann' },
      author: caller.username,
    })
    expect((await make({ user: '/api/crm/staff/nobody' })).status).toBe(400)
    expect((await make({ author: 'somebody' })).body.author).toBe(caller.username)
  })

  test('staff record notes and deals in their own names, and only those who assign the work can record them for others', async () => {
    const [own, boss] = [
      await client.user({ roles: ['ROLE_STAFF'] }),
      await client.user({ roles: ['ROLE_STAFF', 'ROLE_SALES_ADMIN'] }),
    ]
    await as.post('/api/crm/staff', { username: 'bea', name: 'Bea' })
    const it = await lead()
    for (const url of ['/api/crm/actions', '/api/crm/sales'])
      for (const [who, recorded] of [
        [own, own.username],
        [boss, 'bea'],
      ] as const) {
        const body = { contact: it['@id'], notes: 'x', minutes: 55, user: '/api/crm/staff/bea' }
        const made = (await client.as(who).post(url, body)).body
        expect(made).toMatchObject({ user: { username: recorded }, author: who.username })
        const changed = await client.as(who).put(made['@id'], { user: '/api/crm/staff/bea', notes: 'y' })
        expect(changed.body).toMatchObject({ user: { username: recorded }, notes: 'y' })
      }
  })

  test('sales to a lead are stored like notes and listed newest first', async () => {
    const it = await lead()
    for (const text of ['first', 'second'])
      expect((await as.post('/api/crm/sales', { contact: it['@id'], notes: text, minutes: 5 })).status).toBe(201)
    const { body } = await as.get(`${it['@id']}/sales?order[id]=DESC&retired=false`)
    expect(body['hydra:member'].map((s: { notes: string }) => s.notes)).toEqual(['second', 'first'])
    expect(body['hydra:member'][0].user.username).toBe(caller.username)
  })
})

describe("a lead's supported flag", () => {
  test('the supported flag is off by default, and changing it adds a note', async () => {
    const it = await lead()
    const { body } = await as.get(`/api/crm/supported/${it.id}`)
    expect(body).toMatchObject({ '@type': 'Supported', supported: false, contact: it['@id'] })
    expect(await notes(it)).toEqual([])
    await as.put(body['@id'], { supported: true })
    await as.put(body['@id'], { supported: true })
    await as.put(body['@id'], { supported: false })
    expect(
      (await notes(it)).map((n: { notes: string; lastResult: { '@id': string } }) => [n.notes, n.lastResult['@id']]),
    ).toEqual([
      ['No longer a supported client.', '/api/crm/last_results/40'],
      ['Now a supported client.', '/api/crm/last_results/40'],
    ])
    expect((await as.get(`/api/crm/supported/${it.id}`)).body['@id']).toBe(body['@id'])
  })

  test("several users can read a lead's supported flag simultaneously", async () => {
    const it = await lead()
    const all = await Promise.all(Array.from({ length: 6 }, () => as.get(`/api/crm/supported/${it.id}`)))
    expect(all.map((a) => a.status)).toEqual(all.map(() => 200))
    expect(new Set(all.map((a) => a.body['@id'])).size).toBe(1)
  })

  test("the supported flag of another client's lead returns 404", async () => {
    const it = await lead()
    const other = await portal.client()
    const stranger = other.as(await other.user({ roles: ['ROLE_STAFF'] }))
    expect((await stranger.get(`/api/crm/supported/${it.id}`)).status).toBe(404)
    for (const list of ['supporteds', 'actions', 'sales']) {
      const answer = await stranger.post(`/api/crm/${list}`, { contact: it['@id'], notes: 'x' })
      expect([list, answer.status]).toEqual([list, 400])
    }
  })
})

test('a new call result belongs to no lead list until a category is set', async () => {
  const { status, body } = await portal.provider
    .as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] }))
    .post('/api/crm/last_results', { text: 'Met at a fair' })
  expect([status, body.text, body.category, body.uri]).toEqual([201, 'Met at a fair', 'NOTE', body['@id']])
})

test("only the provider can edit the CRM's reference lists", async () => {
  for (const list of ['last_results', 'business_types', 'cities', 'came_froms']) {
    expect((await as.post(`/api/crm/${list}`, { name: 'My views', text: 'My views' })).status).toBe(403)
    const [first] = (await as.get(`/api/crm/${list}`)).body['hydra:member']
    expect((await as.put(first['@id'], { retired: true })).status).toBe(403)
  }
})
