import { beforeAll, describe, expect, test } from 'vitest'
import { type Api, type TestClient, type TestUser, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const STAFF = '/api/crm/staff'
let client: TestClient
let as: Api

beforeAll(async () => {
  client = await portal.client()
  as = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN', 'ROLE_CLIENT_ADMIN'] }))
})

const lead = async () => (await as.post('/api/crm/contacts', { companyName: 'Acme' })).body['@id'] as string
const caller = (username?: string) =>
  client.user({ roles: ['ROLE_STAFF'], ...(username === undefined ? {} : { username }) })
/** The staff record that a note of this person is shown under. */
const noteOf = async (person: TestUser, contact: string) => {
  const { status, body } = await client.as(person).post('/api/crm/actions', { contact, notes: 'Rang' })
  expect(status).toBe(201)
  return body.user as { id: number; username: string; name: string }
}
const everybody = async () => (await as.get(STAFF)).body['hydra:member'] as { id: number; username: string }[]

describe('somebody who acts for the first time', () => {
  test('joins the staff, once, even if they act several times at once', async () => {
    const person = await caller()
    const contact = await lead()
    const users = await Promise.all([1, 2, 3, 4].map(() => noteOf(person, contact)))
    expect(new Set(users.map((u) => u.id)).size).toBe(1)
    expect((await as.get(`${STAFF}/${users[0]?.id}`)).body).toMatchObject({
      username: person.username,
      user: person.iri,
    })
  })

  test('does not become who had their username before', async () => {
    const contact = await lead()
    const first = await caller('jane')
    const hers = await noteOf(first, contact)
    await portal.db.tx('system', async (tx) => {
      await tx.rows("UPDATE user_account SET username = 'jane.married' WHERE id = $1", [first.id])
      // Usernames were given to others until they were kept.
      await tx.rows("DELETE FROM username_kept WHERE client_id = $1 AND username = 'jane'", [first.clientId])
    })
    const second = await noteOf(await caller('jane'), contact)
    expect([hers.username, second.username]).toEqual(['jane', 'jane-2'])
    expect((await noteOf(first, contact)).id).toBe(hers.id)
  })

  test('does not become a tray that is called the same', async () => {
    const contact = await lead()
    await as.post(`${contact}/outcomes`, { result: '/api/crm/last_results/48' })
    expect((await noteOf(await caller('baddetails'), contact)).username).toBe('baddetails-2')
  })
})

describe('a staff record', () => {
  test('that is made for a username is that person’s', async () => {
    const person = await caller('tom.caller')
    const made = await as.post(STAFF, { username: 'tom.caller', name: 'Tom' })
    expect([made.status, made.body.user]).toEqual([201, person.iri])
    expect((await noteOf(person, await lead())).id).toBe(made.body.id)
  })

  test('is not given to somebody else, as notes and leads hang on it', async () => {
    const [one, other] = [await caller(), await caller()]
    const { body: made } = await as.post(STAFF, { username: 'anybody', name: 'Anybody' })
    expect(made.user).toBeNull()
    expect((await as.put(made['@id'], { user: one.iri })).body.user).toBe(one.iri)
    for (const user of [other.iri, null]) expect((await as.put(made['@id'], { user })).status).toBe(409)
    expect((await as.put(made['@id'], { name: 'Renamed', user: one.iri })).body.name).toBe('Renamed')
  })

  test('is the only one of its person', async () => {
    const person = await caller()
    await noteOf(person, await lead())
    const { status, body } = await as.post(STAFF, { username: 'a.second', name: 'Second', user: person.iri })
    expect([status, body.violations[0].propertyPath]).toEqual([422, 'user'])
  })
})

test('a tray that two leads come into first is made once', async () => {
  const leads = [await lead(), await lead(), await lead()]
  const answers = await Promise.all(
    leads.map((contact) => as.post(`${contact}/outcomes`, { result: '/api/crm/last_results/11' })),
  )
  expect(answers.map((a) => a.status)).toEqual([200, 200, 200])
  expect((await everybody()).filter((s) => s.username.startsWith('duplicates'))).toHaveLength(1)
})
