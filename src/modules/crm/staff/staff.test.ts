import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, type TestClient, type TestUser, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const STAFF = '/api/crm/staff'
let client: TestClient
let as: TestApi

beforeAll(async () => {
  client = await portal.client()
  as = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN', 'ROLE_CLIENT_ADMIN'] }))
})

const lead = async () => (await as.post('/api/crm/contacts', { companyName: 'Acme' })).body['@id'] as string
const caller = (username?: string) =>
  client.user({ roles: ['ROLE_STAFF'], ...(username === undefined ? {} : { username }) })
/** Adds a note to a contact as the given user, and returns the staff record of the note's author. */
const noteOf = async (person: TestUser, contact: string) => {
  const { status, body } = await client.as(person).post('/api/crm/actions', { contact, notes: 'Rang' })
  expect(status).toBe(201)
  return body.user as { id: number; username: string; name: string }
}
const everybody = async () => (await as.get(STAFF)).body['hydra:member'] as { id: number; username: string }[]

describe("a user's first action", () => {
  test("a user's first action adds one staff record, even with simultaneous requests", async () => {
    const person = await caller()
    const contact = await lead()
    const users = await Promise.all([1, 2, 3, 4].map(() => noteOf(person, contact)))
    expect(new Set(users.map((u) => u.id)).size).toBe(1)
    expect((await as.get(`${STAFF}/${users[0]?.id}`)).body).toMatchObject({
      username: person.username,
      user: person.iri,
    })
  })

  test('a new user with the username of a former one gets a staff record of their own', async () => {
    const contact = await lead()
    const first = await caller('jane')
    const hers = await noteOf(first, contact)
    await portal.db.tx('system', async (tx) => {
      await tx.rows("UPDATE user_account SET username = 'jane.married' WHERE id = $1", [first.id])
      // Recreates the state from the time when usernames could be reused; today they are reserved.
      await tx.rows("DELETE FROM username_kept WHERE client_id = $1 AND username = 'jane'", [first.clientId])
    })
    const second = await noteOf(await caller('jane'), contact)
    expect([hers.username, second.username]).toEqual(['jane', 'jane'])
    expect(second.id).not.toBe(hers.id)
    expect((await as.get(`${STAFF}/${hers.id}`)).body.username).toBe('jane.married')
    expect((await noteOf(first, contact)).id).toBe(hers.id)
  })

  test('a user whose username is that of a tray gets a staff record of their own', async () => {
    const contact = await lead()
    await as.post(`${contact}/outcomes`, { result: '/api/crm/last_results/48' })
    expect((await noteOf(await caller('baddetails'), contact)).username).toBe('baddetails-2')
  })
})

describe('a staff record', () => {
  test('a staff record is updated whenever its user account changes', async () => {
    const keeper = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_STAFF'] }))
    const person = await caller('tom.caller')
    const record = (await as.get(`${STAFF}/tom.caller`)).body
    expect(record).toMatchObject({ name: 'tom.caller', user: person.iri, retired: false })
    const mine = await client.as(person).post('/api/crm/contacts', { companyName: 'Sort order', owner: record['@id'] })
    expect([mine.status, mine.body.owner.username]).toEqual([201, 'tom.caller'])
    expect((await keeper.put(person.iri, { name: 'Tom Hall', username: 'tom.hall' })).status).toBe(200)
    expect((await as.get(record['@id'])).body).toMatchObject({ name: 'Tom Hall', username: 'tom.hall' })
    await keeper.put(person.iri, { isRetired: true, handToTeam: true })
    expect((await as.get(record['@id'])).body.retired).toBe(true)
    expect((await as.get(`${STAFF}?retired=false&name=Tom Hall`)).body['hydra:totalItems']).toBe(0)
    await keeper.put(person.iri, { isRetired: false })
    expect((await as.get(record['@id'])).body.retired).toBe(false)
    await keeper.put(person.iri, { roles: [] })
    expect((await as.get(record['@id'])).body.retired).toBe(true)
  })

  test("a staff record's name can be changed only on its account, and a tray can't be changed", async () => {
    await caller('ann.caller')
    for (const change of [{ name: 'Other' }, { username: 'other' }])
      expect((await as.put(`${STAFF}/ann.caller`, change)).status).toBe(409)
    expect((await as.put(`${STAFF}/ann.caller`, { telephone: '01632 960100', name: 'ann.caller' })).status).toBe(200)
    const kept = (await as.post(`${await lead()}/outcomes`, { result: 18 })).body.contact.owner['@id']
    for (const change of [{ username: 'later' }, { name: 'Later' }, { retired: true }])
      expect((await as.put(kept, change)).status).toBe(409)
  })

  test('a staff record created for an existing username is linked to that user', async () => {
    const person = await client.user({ username: 'jo.helper' })
    const made = await as.post(STAFF, { username: 'jo.helper', name: 'Jo' })
    expect([made.status, made.body.user]).toEqual([201, person.iri])
  })

  test("a staff record linked to a user can't be linked to another user, because notes and leads depend on the link", async () => {
    const [one, other] = [await client.user(), await client.user()]
    const { body: made } = await as.post(STAFF, { username: 'anybody', name: 'Anybody' })
    expect(made.user).toBeNull()
    const given = (await as.put(made['@id'], { user: one.iri })).body
    expect([given.user, given.username]).toEqual([one.iri, one.username])
    for (const user of [other.iri, null]) expect((await as.put(made['@id'], { user })).status).toBe(409)
  })

  test("a user can't have two staff records", async () => {
    const person = await caller()
    await noteOf(person, await lead())
    const { status, body } = await as.post(STAFF, { username: 'a.second', name: 'Second', user: person.iri })
    expect([status, body.violations[0].propertyPath]).toEqual([422, 'user'])
  })
})

test('a tray is created once, even if two leads enter it simultaneously', async () => {
  const leads = [await lead(), await lead(), await lead()]
  const answers = await Promise.all(
    leads.map((contact) => as.post(`${contact}/outcomes`, { result: '/api/crm/last_results/11' })),
  )
  expect(answers.map((a) => a.status)).toEqual([200, 200, 200])
  expect((await everybody()).filter((s) => s.username.startsWith('duplicates'))).toHaveLength(1)
})
