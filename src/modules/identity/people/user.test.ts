import { describe, expect, test } from 'vitest'
import { type TestApi, type TestClient, type TestUser, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const USERS = '/api/portal/users'
const sql = <T>(text: string, values: readonly unknown[] = []) =>
  portal.db.tx('system', (tx) => tx.rows<T>(text, values))
const ids = (body: { 'hydra:member': { id: number }[] }) => body['hydra:member'].map((m) => m.id)
let n = 0

async function world() {
  const client = await portal.client()
  const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  const worker = await client.user({ roles: ['ROLE_EMPLOYEE'] })
  return { client, admin, worker, as: client.as(admin) }
}
type People = Record<'admin' | 'worker' | 'helper' | 'gone', TestUser>
const boss = async (roles: readonly string[] = ['ROLE_STAFF', 'ROLE_USER_ADMIN', 'ROLE_ROLES_ADMIN']) => {
  const user = await portal.provider.user({ roles })
  return { user, as: portal.provider.as(user) }
}
const someone = (roles?: readonly string[]) => ({
  username: `made.${++n}`,
  name: 'Made Up',
  ...(roles ? { roles } : {}),
})
const rolesOf = async (u: { id: number }) =>
  (await sql<{ roles: string[] }>('SELECT roles FROM user_account WHERE id = $1', [u.id]))[0]?.roles

describe('a client’s administrator', () => {
  test("a client administrator creates, changes and retires the client's own users", async () => {
    const { client, as } = await world()
    const made = await as.post(USERS, someone(['ROLE_EMPLOYEE', 'ROLE_CLIENT_ADMIN']))
    expect([made.status, made.body.client.id, made.body.roles]).toEqual([
      201,
      client.id,
      ['ROLE_EMPLOYEE', 'ROLE_CLIENT_ADMIN'],
    ])
    expect((await as.put(made.body['@id'], { name: 'Else', isRetired: true })).body).toMatchObject({
      name: 'Else',
      isRetired: true,
      roles: ['ROLE_EMPLOYEE', 'ROLE_CLIENT_ADMIN'],
    })
    expect((await as.delete(made.body['@id'])).status).toBe(405)
  })

  test.each([
    'ROLE_STAFF',
    'ROLE_USER_ADMIN',
    'ROLE_ROLES_ADMIN',
    'ROLE_CLIENTS_ADMIN',
    'ROLE_LEADS_ADMIN',
    'ROLE_MAIL_ADMIN',
    'ROLE_RESELLER',
    'ROLE_GOD',
    'anonymous',
    'member',
    '',
  ])(`a client administrator can't assign the role "%s" to a new user, another user or themselves`, async (role) => {
    const { admin, worker, as } = await world()
    const answers = [
      await as.post(USERS, someone([role])),
      await as.put(worker.iri, { roles: ['ROLE_EMPLOYEE', role] }),
      await as.patch(admin.iri, { roles: ['ROLE_CLIENT_ADMIN', role] }),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(422)
      expect(body.violations).toEqual([
        { propertyPath: 'roles', message: `These roles can’t be assigned here: ${role}`, code: 'not_an_option' },
      ])
    }
    expect([await rolesOf(worker), await rolesOf(admin)]).toEqual([['ROLE_EMPLOYEE'], ['ROLE_CLIENT_ADMIN']])
  })

  test("a client administrator can't assign a retired role, but users who already have it can keep it", async () => {
    const { worker, as } = await world()
    await sql('UPDATE role SET retired = true WHERE name = $1', ['ROLE_RISK_CREATE_UNRESTRICTED'])
    const roles = ['ROLE_EMPLOYEE', 'ROLE_RISK_CREATE_UNRESTRICTED']
    expect((await as.put(worker.iri, { roles })).status).toBe(422)
    await sql('UPDATE user_account SET roles = $2 WHERE id = $1', [worker.id, roles])
    expect((await as.put(worker.iri, { roles: [...roles, 'ROLE_CLIENT_ADMIN'] })).status).toBe(200)
    await sql('UPDATE role SET retired = false WHERE name = $1', ['ROLE_RISK_CREATE_UNRESTRICTED'])
  })

  test("a client administrator can't set the client, scopes or ID of any user", async () => {
    const [one, other] = [await world(), await world()]
    const made = await one.as.post(USERS, { ...someone(), id: 5, client: other.client.iri, scopes: ['all'] })
    expect([made.status, made.body.client.id, made.body.scopes]).toEqual([201, one.client.id, []])
    const moved = await one.as.put(one.worker.iri, { client: other.client.iri, scopes: { all: true }, id: 5 })
    expect([moved.status, moved.body.client.id, moved.body.scopes, moved.body.id]).toEqual([
      200,
      one.client.id,
      [],
      one.worker.id,
    ])
  })

  test('a client administrator has no access to users of other clients', async () => {
    const [one, other] = [await world(), await world()]
    for (const answer of [
      await one.as.get(other.worker.iri),
      await one.as.put(other.worker.iri, { name: 'Taken' }),
      await one.as.patch(other.worker.iri, { roles: [] }),
      await one.as.get(`/api/security/users/${other.worker.id}`),
    ])
      expect(answer.status).toBe(404)
    for (const query of [
      '',
      `?client=${other.client.id}`,
      `?client=${other.client.iri}`,
      `?id=${other.worker.id}`,
      `?client[]=${other.client.id}&client[]=${one.client.id}`,
      '?client.id=0',
    ])
      expect(
        ids((await one.as.get(`${USERS}${query}`)).body).filter((id) => ![one.admin.id, one.worker.id].includes(id)),
      ).toEqual([])
  })

  test("a client administrator can't retire themselves", async () => {
    const { admin, as } = await world()
    expect((await as.put(admin.iri, { isRetired: true })).status).toBe(409)
    expect((await as.get(USERS)).status).toBe(200)
  })
})

describe('an employee', () => {
  test('an employee can read their own record but not change it', async () => {
    const { client, admin, worker } = await world()
    const as = client.as(worker)
    expect(ids((await as.get(USERS)).body)).toEqual([worker.id])
    expect((await as.get(worker.iri)).status).toBe(200)
    expect((await as.get(admin.iri)).status).toBe(404)
    for (const answer of [
      await as.put(worker.iri, { roles: ['ROLE_CLIENT_ADMIN'] }),
      await as.patch(worker.iri, { name: 'Me' }),
      await as.put(admin.iri, { name: 'Boss' }),
      await as.post(USERS, someone()),
    ])
      expect(answer.status).toBe(403)
    expect(await rolesOf(worker)).toEqual(['ROLE_EMPLOYEE'])
  })
})

describe('the provider’s users', () => {
  test('provider users with the staff role can read all users but change none', async () => {
    const { worker } = await world()
    const { as } = await boss(['ROLE_STAFF'])
    expect((await as.get(worker.iri)).status).toBe(200)
    expect((await as.put(worker.iri, { name: 'X' })).status).toBe(403)
  })

  test('provider users without the staff role can read only their own client', async () => {
    const { worker } = await world()
    const { as } = await boss(['ROLE_USER_ADMIN'])
    expect((await as.get(worker.iri)).status).toBe(404)
  })

  test('only provider users who are user administrators can assign internal roles, and only to provider users', async () => {
    const { worker } = await world()
    const { as } = await boss()
    const made = await as.post(USERS, someone(['ROLE_STAFF', 'ROLE_LEADS_ADMIN']))
    expect([made.status, made.body.client.id]).toEqual([201, 0])
    expect((await as.put(worker.iri, { roles: ['ROLE_STAFF'] })).status).toBe(422)
    expect((await as.put(worker.iri, { roles: ['ROLE_CLIENT_ADMIN'] })).status).toBe(200)
  })

  test("provider users who are client administrators can't assign roles to themselves", async () => {
    const { user, as } = await boss(['ROLE_STAFF', 'ROLE_CLIENT_ADMIN'])
    const { worker } = await world()
    for (const answer of [
      await as.put(user.iri, { roles: ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'] }),
      await as.post(USERS, someone(['ROLE_USER_ADMIN'])),
      await as.put(worker.iri, { name: 'X' }),
    ])
      expect(answer.status).toBe(403)
    expect(await rolesOf(user)).toEqual(['ROLE_STAFF', 'ROLE_CLIENT_ADMIN'])
  })
})

test('provider users can assign the reseller role only to users of a reseller', async () => {
  const portal = await testPortal()
  const keeper = await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] })
  const as = portal.provider.as(keeper)
  const [reseller, other] = [await portal.client({ isReseller: true }), await portal.client()]
  for (const [client, status] of [
    [reseller, 200],
    [other, 422],
  ] as const) {
    const person = await client.user()
    expect((await as.put(person.iri, { roles: ['ROLE_RESELLER'] })).status).toBe(status)
    expect((await as.put(person.iri, { roles: ['ROLE_STAFF'] })).status).toBe(422)
  }
})

describe('a username', () => {
  const taken = async (client: TestClient, admin: TestUser, username: string | null) =>
    client.as(admin).post(USERS, { username, name: 'Second' })

  test('a username is unique within a client, ignoring case, and may be reused in another client', async () => {
    const [one, other] = [await world(), await world()]
    for (const username of [one.worker.username, one.worker.username.toUpperCase()]) {
      const { status, body } = await taken(one.client, one.admin, username)
      expect([status, body.violations[0]]).toMatchObject([
        422,
        { propertyPath: 'username', message: expect.stringMatching(/already/) },
      ])
    }
    expect((await taken(other.client, other.admin, one.worker.username)).status).toBe(201)
    expect((await one.as.put(one.admin.iri, { username: one.worker.username })).status).toBe(422)
  })

  test.each(['two words', 'x/y', '<b>', 'a'.repeat(101), 'tab\tbed', 'línea', '', null])(
    `a username can't be "%s"`,
    async (username) => {
      const { client, admin } = await world()
      const { status, body } = await taken(client, admin, username)
      expect([status, body.violations[0].propertyPath]).toEqual([422, 'username'])
    },
  )
})

describe('a manager', () => {
  const teamOf = async (client: TestClient, u: TestUser) => {
    portal.sessions.forget()
    return (await client.as(u).get('/api/security/user_check')).body.team
  }

  test("a user with a manager appears in the manager's team and in the list filtered by that manager", async () => {
    const { client, admin, worker, as } = await world()
    const { status, body } = await as.put(worker.iri, { manager: admin.iri })
    expect([status, body.manager]).toEqual([200, admin.iri])
    expect(await teamOf(client, admin)).toEqual([worker.id])
    expect(ids((await as.get(`${USERS}?manager=${admin.id}`)).body)).toEqual([worker.id])
    await as.put(worker.iri, { manager: null })
    expect(await teamOf(client, admin)).toEqual([])
  })

  test.each([
    ['oneself', 'Users can’t report to themselves', (w: People) => [w.admin, w.admin] as const],
    [
      'one of their direct reports',
      'Please choose somebody who does not report to this user',
      (w: People) => [w.admin, w.worker] as const,
    ],
    [
      'one of their indirect reports',
      'Please choose somebody who does not report to this user',
      (w: People) => [w.admin, w.helper] as const,
    ],
    ['a retired user', 'Please choose somebody who is not retired', (w: People) => [w.helper, w.gone] as const],
  ])("a user's manager can't be %s", async (_, message, of) => {
    const w = await world()
    const helper = await w.client.user()
    const gone = await w.client.user()
    await w.as.put(gone.iri, { isRetired: true })
    expect((await w.as.put(w.worker.iri, { manager: w.admin.iri })).status).toBe(200)
    expect((await w.as.put(helper.iri, { manager: w.worker.iri })).status).toBe(200)
    const [person, manager] = of({ ...w, helper, gone })
    const { status, body } = await w.as.put(person.iri, { manager: manager.iri })
    expect([status, body.violations]).toEqual([
      422,
      [expect.objectContaining({ propertyPath: 'manager', message: expect.stringContaining(message) })],
    ])
  })

  test("a manager can't belong to another client, even if the person assigning them can read both clients", async () => {
    const [one, other] = [await world(), await world()]
    const { as: keeper } = await boss()
    for (const answer of [
      await one.as.put(one.worker.iri, { manager: other.admin.iri }),
      await one.as.put(one.worker.iri, { manager: `${USERS}/987654321` }),
      await keeper.put(one.worker.iri, { manager: other.admin.iri }),
      await keeper.post(USERS, { ...someone(), client: one.client.iri, manager: other.admin.iri }),
    ])
      expect([answer.status, answer.body.violations?.[0].propertyPath]).toEqual([422, 'manager'])
  })

  test("two concurrent manager changes can't create a reporting cycle", async () => {
    const { admin, worker, as } = await world()
    const answers = await Promise.all([
      as.put(worker.iri, { manager: admin.iri }),
      as.put(admin.iri, { manager: worker.iri }),
    ])
    expect(answers.map((a) => a.status).filter((s) => s === 200)).toHaveLength(1)
  })
})

describe('changed rights', () => {
  test('added and removed rights take effect immediately', async () => {
    const { client, worker, as } = await world()
    const me = client.as(worker)
    expect((await me.get('/api/portal/phonebook')).status).toBe(403)
    await as.put(worker.iri, { roles: ['ROLE_CLIENT_ADMIN'] })
    const second = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    const confirmed = await second.post(`${worker.iri}/confirm-waiting`, { roles: ['ROLE_CLIENT_ADMIN'] })
    expect(confirmed.status).toBe(200)
    expect((await me.get('/api/portal/phonebook')).status).toBe(200)
    expect((await me.post(USERS, someone())).status).toBe(201)
    await as.put(worker.iri, { roles: [] })
    expect((await me.get('/api/portal/phonebook')).status).toBe(403)
    expect((await me.post(USERS, someone())).status).toBe(403)
  })

  test("a user's scopes are read from a list or a map", async () => {
    const { client, worker } = await world()
    for (const [stored, expected] of [
      ['["a","b"]', ['a', 'b']],
      ['{"a":true,"b":false,"c":1}', ['a', 'c']],
      ['"a"', []],
      ['null', []],
    ] as const) {
      await sql('UPDATE user_account SET scopes = $2::jsonb WHERE id = $1', [worker.id, stored])
      portal.sessions.forget()
      expect((await client.as(worker).get('/api/security/user_check')).body.scopes).toEqual(expected)
    }
  })
})

describe('the phone book', () => {
  test("the phone book lists only active users of the reader's own client who are marked as included", async () => {
    const { client, admin, as } = await world()
    const gone = await client.user()
    const hidden = await client.user()
    await as.put(gone.iri, { isRetired: true })
    await as.put(hidden.iri, { inPhonebook: false })
    await world()
    const found = ids((await as.get('/api/portal/phonebook')).body)
    expect(found).toContain(admin.id)
    expect(found).not.toContain(gone.id)
    expect(found).not.toContain(hidden.id)
    expect(found).toHaveLength(2)
  })
})

describe('the user picker', () => {
  test("the user picker lists another client's users only for provider staff", async () => {
    const [one, other] = [await world(), await world()]
    const list = async (api: TestApi, client: string) => {
      const { status, body } = await api.get(`/api/portal/users_list?client=${client}`)
      return status === 200 ? new Set(ids(body)) : status
    }
    const theirs = new Set([other.admin.id, other.worker.id])
    const mine = new Set([one.admin.id, one.worker.id])
    const { as: staff } = await boss(['ROLE_STAFF'])
    expect(await list(staff, String(other.client.id))).toEqual(theirs)
    expect(await list(staff, other.client.iri)).toEqual(theirs)
    for (const client of [String(other.client.id), other.client.iri, '0', ''])
      expect(await list(one.as, client)).toEqual(mine)
    const { as: desk, user } = await boss(['ROLE_CLIENT_ADMIN'])
    expect(await list(desk, String(other.client.id))).toContain(user.id)
    expect(await list(desk, String(other.client.id))).not.toContain(other.admin.id)
    for (const odd of ['99999999999', 'x', '-1', '1.5']) expect(await list(staff, odd)).toContain(user.id)
  })
})

test('users can’t give themselves a role through any entry point, except a client’s sole administrator', async () => {
  const provider = portal.provider
  const user = await provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] })
  const other = provider.as(await provider.user({ roles: ['ROLE_USER_ADMIN'] }))
  const roles = ['ROLE_STAFF', 'ROLE_USER_ADMIN', 'ROLE_FINANCE']
  const doors = (api: typeof other, iri: string, given: readonly string[]) => [
    () => api.put(iri, { roles: given }),
    () => api.patch(iri, { roles: given }, { 'content-type': 'application/merge-patch+json' }),
  ]
  for (const door of doors(provider.as(user), user.iri, roles)) expect((await door()).status).toBe(403)
  expect((await provider.as(user).put(user.iri, { roles: ['ROLE_USER_ADMIN'] })).status).toBe(200)
  for (const door of doors(other, user.iri, roles)) expect((await door()).status).toBe(200)

  const client = await portal.client()
  const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  const books = ['ROLE_CLIENT_ADMIN', 'ROLE_INVOICING']
  expect((await client.as(admin).put(admin.iri, { roles: books })).status).toBe(200)
  const second = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  for (const door of doors(client.as(second), second.iri, books)) expect((await door()).status).toBe(403)
  expect((await client.as(admin).put(second.iri, { roles: books })).status).toBe(200)
})
