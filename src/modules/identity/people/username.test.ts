import { describe, expect, test } from 'vitest'
import { renderQueuedEmails } from '#test/support/letters.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const USERS = '/api/portal/users'
let n = 0
const fresh = () => `name.of.somebody.${++n}`
const TAKEN = [
  { propertyPath: 'username', message: 'This username is already taken. Please choose another', code: 'duplicate' },
]
const keeper = async () =>
  portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN', 'ROLE_CLIENTS_ADMIN'] }))
async function world() {
  const client = await portal.client()
  const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  return { client, admin, as: client.as(admin) }
}

describe("a provider user's username", () => {
  test("a client's user can't take the username of a provider user, through any endpoint", async () => {
    const username = fresh()
    await portal.provider.user({ username })
    const { client, admin, as } = await world()
    const answers = [
      await as.post(USERS, { username, name: 'Decoy' }),
      await as.post(USERS, { username: username.toUpperCase(), name: 'Decoy' }),
      await as.put(admin.iri, { username }),
      await as.patch(admin.iri, { username }),
      await (await keeper()).post(USERS, { username, name: 'Decoy', client: client.iri }),
      await (await keeper()).put(admin.iri, { username }),
    ]
    for (const { status, body } of answers) expect([status, body.violations]).toEqual([422, TAKEN])
  })

  test("a provider user's username remains reserved after the user is retired", async () => {
    const username = fresh()
    const left = await portal.provider.user({ username })
    expect((await (await keeper()).put(left.iri, { isRetired: true })).status).toBe(200)
    const { as } = await world()
    expect((await as.post(USERS, { username, name: 'Decoy' })).status).toBe(422)
  })

  test("a provider user can't take the username of a client's user", async () => {
    const { client } = await world()
    const taken = await client.user({ username: fresh() })
    const as = await keeper()
    const made = await as.post(USERS, { username: fresh(), name: 'New' })
    expect(made.status).toBe(201)
    for (const { status, body } of [
      await as.post(USERS, { username: taken.username, name: 'New' }),
      await as.put(made.body['@id'], { username: taken.username.toUpperCase() }),
    ])
      expect([status, body.violations]).toEqual([422, TAKEN])
  })

  test('if two users choose the same username concurrently, only one gets it', async () => {
    const username = fresh()
    const { as } = await world()
    const answers = await Promise.all([
      as.post(USERS, { username, name: 'One' }),
      (await keeper()).post(USERS, { username, name: 'Two' }),
    ])
    expect(answers.map((a) => a.status).toSorted()).toEqual([201, 422])
  })
})

test("a client that has tried ten of the provider's usernames can't probe for more", async () => {
  const { as } = await world()
  const taken: string[] = []
  for (let i = 0; i < 11; i++) taken.push((await portal.provider.user({ username: fresh() })).username)
  const statuses: number[] = []
  for (const username of taken) statuses.push((await as.post(USERS, { username, name: 'Probe' })).status)
  expect(statuses).toEqual([...Array(10).fill(422), 429])
  expect((await as.post(USERS, { username: fresh(), name: 'Probe' })).status).toBe(429)
  const other = await world()
  expect((await other.as.post(USERS, { username: fresh(), name: 'New' })).status).toBe(201)
  expect((await (await keeper()).post(USERS, { username: taken[0] ?? '', name: 'New' })).status).toBe(422)
})

test("creating a user at the command line doesn't reveal whether a username belongs to the provider", async () => {
  const username = fresh()
  await portal.provider.user({ username })
  const { client } = await world()
  const { runCreateUserCommand: run } = await import('../passwords/create-user.server.ts')
  const args = ['--username', username, '--client', String(client.id), '--password', 'harbour tin piano']
  await expect(run(portal.engine, args)).rejects.toThrow('This username is already taken. Please choose another')
})

describe('a user whose e-mail address or password was changed by somebody else', () => {
  const letters = async (clientId: number) =>
    (await renderQueuedEmails(portal, clientId)).map(({ to, subject }) => [to, subject])

  test('a user is notified at the old and the new e-mail address if somebody else changes it', async () => {
    const { client, as } = await world()
    const p = await client.user({ email: 'old@x.example' })
    expect((await as.put(p.iri, { email: 'new@x.example' })).status).toBe(200)
    expect(await letters(client.id)).toEqual([
      ['old@x.example', 'Your e-mail address was changed'],
      ['new@x.example', 'Your e-mail address was changed'],
    ])
  })

  test('a user is notified if somebody else sets their password', async () => {
    const { client, as } = await world()
    const p = await client.user({ email: 'old@x.example' })
    expect((await as.put(`${p.iri}/password`, { password: 'harbour tin piano' })).status).toBe(204)
    expect(await letters(client.id)).toEqual([['old@x.example', 'Your password was changed']])
  })

  test('a user is notified at both addresses even of their own change, in case an intruder made it', async () => {
    const { client, as } = await world()
    const boss = await client.user({ roles: ['ROLE_CLIENT_ADMIN'], email: 'old@x.example' })
    expect((await client.as(boss).put(boss.iri, { email: 'thief@x.example' })).status).toBe(200)
    expect((await letters(client.id)).map(([to]) => to)).toEqual(['old@x.example', 'thief@x.example'])
    expect((await as.get(boss.iri)).status).toBe(200)
  })

  test('a user is not notified of other changes', async () => {
    const { client, as } = await world()
    const p = await client.user({ email: 'old@x.example' })
    expect((await as.put(p.iri, { name: 'Renamed' })).status).toBe(200)
    expect(await letters(client.id)).toEqual([])
  })
})

test('passwords can be set at most ten times an hour, per account and per person', async () => {
  const { client, admin, as } = await world()
  const p = await client.user()
  const set = async (iri: string, api = as) =>
    (await api.put(`${iri}/password`, { password: 'harbour tin piano' })).status
  const counted = (key: string) =>
    portal.db.tx('system', (tx) =>
      tx.rows(
        `INSERT INTO attempt (key, tries, since, lasts, at) VALUES ($1, 10, now(), interval '1 hour', now() - interval '2 minutes')
         ON CONFLICT (key) DO UPDATE SET tries = 10`,
        [key],
      ),
    )
  expect(await set(p.iri)).toBe(204)
  await counted(`set-password:${client.id}.${p.id}`)
  const other = await client.user()
  expect([await set(p.iri), await set(other.iri)]).toEqual([429, 204])
  await counted(`set-password-by:${client.id}.${admin.id}`)
  const second = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  expect([await set(other.iri), await set(other.iri, second)]).toEqual([429, 204])
})

describe('a former username', () => {
  test('a former username remains reserved for its user, because documents name the user by it', async () => {
    const { client, admin, as } = await world()
    const olive = await client.user({ username: fresh() })
    const eve = await client.user({ username: fresh() })
    expect((await as.put(olive.iri, { username: fresh() })).status).toBe(200)
    const username = olive.username.toUpperCase()
    for (const { status, body } of [
      await as.post(USERS, { username, name: 'Eve' }),
      await as.put(eve.iri, { username }),
      await as.patch(admin.iri, { username }),
    ])
      expect([status, body.violations]).toEqual([422, TAKEN])
    await expect(client.user({ username })).rejects.toMatchObject({ code: '23505' })
    // The user who already has the name may set it again.
    expect((await as.put(olive.iri, { username: olive.username })).status).toBe(200)
  })

  test("a client's user can't take a former username of a provider user", async () => {
    const person = await portal.provider.user({ username: fresh() })
    expect((await (await keeper()).put(person.iri, { username: fresh() })).status).toBe(200)
    const { as } = await world()
    expect((await as.post(USERS, { username: person.username, name: 'Decoy' })).status).toBe(422)
  })
})
