import { beforeEach, describe, expect, test } from 'vitest'
import { type TestApi, type TestClient, type TestUser, testPortal } from '#test/support/portal.ts'
import roles from '../../../../db/reference/roles.json' with { type: 'json' }
import { PROTECTED_ROLES } from '../roles/role-groups.ts'

const portal = await testPortal()
const USERS = '/api/portal/users'
const sql = <T>(text: string, values: readonly unknown[] = []) =>
  portal.db.tx('system', (tx) => tx.rows<T>(text, values))
const MERGE = { 'content-type': 'application/merge-patch+json' }
let client: TestClient
let admin: TestUser
let second: TestUser
let worker: TestUser
let api: TestApi
let other: TestApi
let n = 0

const BOOKS = ['ROLE_EMPLOYEE', 'ROLE_INVOICING_FINANCE']
const waitADay = async (hours = 25) => {
  await sql(
    "UPDATE user_account SET waiting_until = waiting_until - $1 * interval '1 hour' WHERE waiting_until IS NOT NULL",
    [hours],
  )
  await portal.runSchedule('identity.apply-waiting-changes')
}
const FINANCE = { roles: ['ROLE_INVOICING_FINANCE'], email: '' }
const confirm = (by: TestApi, read: Record<string, unknown> = FINANCE) => by.post(`${worker.iri}/confirm-waiting`, read)
const stateOf = async (id: number) => {
  const { roles, email, waitingRoles, waitingEmail, waitingBy } = (await api.get(`${USERS}/${id}`)).body
  return { roles, email, waitingRoles, waitingEmail, waitingBy }
}

beforeEach(async () => {
  client = await portal.client()
  admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  second = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  worker = await client.user({ roles: ['ROLE_EMPLOYEE'] })
  await sql('UPDATE user_account SET last_login_at = now() WHERE client_id = $1', [client.id])
  api = client.as(admin)
  other = client.as(second)
})

describe('assigning a protected role, which controls money, access or confidential data', () => {
  test.each([
    ['by PUT', () => api.put(worker.iri, { roles: BOOKS })],
    ['by PATCH', () => api.patch(worker.iri, { roles: BOOKS }, MERGE)],
  ])('a protected role assigned to another person %s waits a day, while other roles apply at once', async (_, give) => {
    const given = await give()
    expect([given.status, given.body.roles, given.body.waitingRoles]).toEqual([
      200,
      ['ROLE_EMPLOYEE'],
      ['ROLE_INVOICING_FINANCE'],
    ])
    await waitADay(23)
    expect((await stateOf(worker.id)).roles).toEqual(['ROLE_EMPLOYEE'])
    await waitADay(2)
    expect(await stateOf(worker.id)).toMatchObject({ roles: BOOKS, waitingRoles: [], waitingBy: '' })
  })

  test.each(['ROLE_HR', 'ROLE_HR_PRIVATE', 'ROLE_INCIDENT_READER', 'ROLE_SAFETY_AUTHOR'])(
    'a role that opens confidential data, such as %s, waits, and nobody else can set its holder’s password',
    async (role) => {
      const given = await api.put(worker.iri, { roles: ['ROLE_EMPLOYEE', role] })
      expect([given.body.roles, given.body.waitingRoles]).toEqual([['ROLE_EMPLOYEE'], [role]])
      expect((await confirm(other, { roles: [role], email: '' })).body.roles).toContain(role)
      const provider = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] }))
      for (const by of [api, provider])
        expect((await by.put(`${worker.iri}/password`, { password: 'correct horse battery staple' })).status).toBe(409)
    },
  )

  test('a protected role waits when assigned to a new user or to a restored one', async () => {
    const made = await api.post(USERS, { username: `new.${++n}`, name: 'New', roles: BOOKS })
    expect([made.status, made.body.roles, made.body.waitingRoles]).toEqual([
      201,
      ['ROLE_EMPLOYEE'],
      ['ROLE_INVOICING_FINANCE'],
    ])
    await sql('UPDATE user_account SET is_retired = true WHERE id = $1', [second.id])
    const restored = await api.put(second.iri, { isRetired: false })
    expect([restored.body.roles, restored.body.waitingRoles]).toEqual([[], ['ROLE_CLIENT_ADMIN']])
  })

  test.each([
    ['by PUT', () => api.put(second.iri, { isRetired: false })],
    ['by PATCH', () => api.patch(second.iri, { isRetired: false }, MERGE)],
    [
      'by the bulk action that undoes the retirement',
      () => api.post(`${USERS}/bulk`, { action: 'restore', ids: [second.id] }),
    ],
    ['together with their roles', () => api.put(second.iri, { isRetired: false, roles: ['ROLE_CLIENT_ADMIN'] })],
    [
      'after their roles were assigned again',
      async () => {
        await api.put(second.iri, { roles: [] })
        await api.put(second.iri, { roles: ['ROLE_CLIENT_ADMIN'] })
        return api.put(second.iri, { isRetired: false })
      },
    ],
  ])('a protected role waits when a holder is restored %s right after their retirement', async (_, restore) => {
    expect((await api.put(second.iri, { isRetired: true })).status).toBe(200)
    expect((await restore()).status).toBe(200)
    expect(await stateOf(second.id)).toMatchObject({ roles: [], waitingRoles: ['ROLE_CLIENT_ADMIN'] })
  })

  test('a waiting role is cancelled by a list of roles without it, even if that list is otherwise unchanged', async () => {
    await api.put(worker.iri, { roles: [...BOOKS, 'ROLE_CLIENT_ADMIN'] })
    expect((await api.patch(worker.iri, { roles: BOOKS }, MERGE)).body).toMatchObject({
      roles: ['ROLE_EMPLOYEE'],
      waitingRoles: ['ROLE_INVOICING_FINANCE'],
    })
    expect((await other.patch(worker.iri, { roles: ['ROLE_EMPLOYEE'] }, MERGE)).body).toMatchObject({
      waitingRoles: [],
      waitingUntil: null,
      waitingBy: '',
    })
    await waitADay()
    expect((await stateOf(worker.id)).roles).toEqual(['ROLE_EMPLOYEE'])
  })

  test('only another administrator can confirm a waiting role at once', async () => {
    await api.put(worker.iri, { roles: BOOKS })
    expect((await confirm(api)).status).toBe(403)
    expect((await confirm(client.as(worker))).status).toBe(403)
    expect((await confirm(other)).status).toBe(200)
    expect(await stateOf(worker.id)).toMatchObject({ roles: BOOKS, waitingRoles: [], waitingBy: '' })
    expect((await other.post(`${worker.iri}/cancel-waiting`, {})).status).toBe(409)
  })

  test('a waiting role is confirmed only with exactly the changes that were read, and a later request starts the wait again', async () => {
    await sql("UPDATE user_account SET email = 'worker@acme.example' WHERE id = $1", [worker.id])
    const first = (await api.put(worker.iri, { roles: BOOKS })).body
    await sql("UPDATE user_account SET waiting_until = waiting_until - interval '1 hour' WHERE id = $1", [worker.id])
    const email = 'mine@evil.example'
    const second = (await api.put(worker.iri, { email })).body
    expect(second.waitingUntil >= first.waitingUntil).toBe(true)
    for (const read of [{}, FINANCE, { email }, { roles: ['ROLE_CLIENT_ADMIN'], email }]) {
      const refused = await confirm(other, read)
      expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('read them again')])
    }
    expect(await stateOf(worker.id)).toMatchObject({
      roles: ['ROLE_EMPLOYEE'],
      email: 'worker@acme.example',
      waitingEmail: email,
    })
    expect((await confirm(other, { ...FINANCE, email })).status).toBe(200)
    expect(await stateOf(worker.id)).toMatchObject({ roles: BOOKS, email, waitingRoles: [], waitingEmail: '' })
  })

  test('a waiting role can be confirmed neither by its future holder nor by its requester under a new username', async () => {
    await api.put(second.iri, { roles: ['ROLE_CLIENT_ADMIN', 'ROLE_INVOICING_FINANCE'] })
    expect((await other.post(`${second.iri}/confirm-waiting`, {})).status).toBe(403)
    const renamed = await api.put(admin.iri, { username: `renamed.${++n}` })
    expect(renamed.status).toBe(200)
    expect((await api.post(`${second.iri}/confirm-waiting`, {})).status).toBe(403)
  })

  test('any administrator can cancel a waiting role, and it lapses if its requester no longer manages users', async () => {
    await api.put(worker.iri, { roles: BOOKS })
    expect((await api.post(`${worker.iri}/cancel-waiting`, {})).status).toBe(200)
    await waitADay()
    expect(await stateOf(worker.id)).toMatchObject({ roles: ['ROLE_EMPLOYEE'], waitingRoles: [] })
    await other.put(worker.iri, { roles: BOOKS })
    await sql("UPDATE user_account SET roles = '{}' WHERE id = $1", [second.id])
    await waitADay()
    expect(await stateOf(worker.id)).toMatchObject({ roles: ['ROLE_EMPLOYEE'], waitingRoles: [] })
  })

  test('assigning a waiting role again does not lengthen the wait, and another administrator must decide before more can be assigned', async () => {
    const first = await api.put(worker.iri, { roles: BOOKS })
    const again = await api.put(worker.iri, { roles: BOOKS, name: 'Renamed' })
    expect([again.body.waitingUntil, again.body.name]).toEqual([first.body.waitingUntil, 'Renamed'])
    expect((await api.put(worker.iri, { telephone: '01632 960001' })).body.waitingRoles).toEqual([
      'ROLE_INVOICING_FINANCE',
    ])
    expect((await other.put(worker.iri, { roles: ['ROLE_EMPLOYEE', 'ROLE_CLIENT_ADMIN'] })).status).toBe(409)
    expect((await api.put(worker.iri, { isRetired: true })).body.waitingRoles).toEqual([])
  })

  test('a protected role applies at once if no other user has ever signed in', async () => {
    await sql('UPDATE user_account SET last_login_at = NULL WHERE client_id = $1 AND id <> $2', [client.id, admin.id])
    expect((await api.put(worker.iri, { roles: BOOKS })).body).toMatchObject({ roles: BOOKS, waitingRoles: [] })
  })

  test("the other administrators are notified of a waiting role, and a request body can't set one", async () => {
    await api.put(worker.iri, { roles: BOOKS })
    const inbox = async (of: TestApi) => (await of.get('/api/portal/notices/inbox')).body['hydra:member'] ?? []
    expect(await inbox(other)).toContainEqual(
      expect.objectContaining({ kind: 'account.waiting', words: expect.stringContaining('Invoicing and finance') }),
    )
    expect(JSON.stringify(await inbox(api))).not.toContain('account.waiting')
    const forged = await api.put(worker.iri, { waitingUntil: '2020-01-01T00:00:00Z', waitingBy: second.username })
    expect(forged.body).toMatchObject({ waitingBy: admin.username })
  })

  test("a waiting role has its role's label", () => {
    const known = new Map(roles.roles.map((one) => [one.name, one.label]))
    for (const [name, label] of Object.entries(PROTECTED_ROLES)) expect([name, known.get(name)]).toEqual([name, label])
  })
})

describe('attempts to avoid the wait for a role', () => {
  test('retiring everybody else who has signed in does not avoid the wait', async () => {
    for (const one of [second, worker]) expect((await api.put(one.iri, { isRetired: true })).status).toBe(200)
    const made = await api.post(USERS, { username: `new.${++n}`, name: 'New', roles: BOOKS })
    expect(made.body.waitingRoles).toEqual(['ROLE_INVOICING_FINANCE'])
  })

  test("a user administrator of the provider can't avoid the wait with a new username", async () => {
    const person = await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] })
    const provider = portal.provider.as(person)
    expect((await provider.put(worker.iri, { roles: BOOKS })).body.waitingRoles).toEqual(['ROLE_INVOICING_FINANCE'])
    expect((await confirm(provider)).status).toBe(403)
    expect((await provider.put(person.iri, { username: `renamed.${++n}` })).status).toBe(200)
    expect((await confirm(provider)).status).toBe(403)
    expect((await confirm(other)).status).toBe(200)
  })

  test('setting up another first administrator does not avoid the wait', async () => {
    const provider = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] }))
    for (const one of [admin, second]) await provider.put(one.iri, { isRetired: true })
    const body = { name: 'Else', username: `else.${++n}`, email: 'else@evil.example' }
    const made = await provider.post(`/api/crm/setup_admin_user/${client.id}`, body)
    expect(made.status).toBeLessThan(300)
    expect(
      await sql('SELECT roles, waiting_roles FROM user_account WHERE client_id = $1 AND username = $2', [
        client.id,
        body.username,
      ]),
    ).toEqual([{ roles: [], waiting_roles: ['ROLE_CLIENT_ADMIN'] }])
  })

  test('taking over a holder who has not signed in yet, or retiring one, does not avoid the wait', async () => {
    await sql('UPDATE user_account SET last_login_at = NULL WHERE id = $1', [second.id])
    expect((await api.put(`${second.iri}/password`, { password: 'correct horse battery staple' })).status).toBe(409)
    expect((await api.put(second.iri, { email: 'mine@evil.example' })).body.waitingEmail).toBe('mine@evil.example')
    const retired = await api.put(second.iri, { isRetired: true, email: 'mine@evil.example' })
    expect([retired.body.isRetired, retired.body.email === 'mine@evil.example', retired.body.waitingEmail]).toEqual([
      true,
      false,
      '',
    ])
  })
})

describe('the account of a user who has a protected role', () => {
  test("a protected role's holder retains their e-mail address for a day when another person changes it, and the holder's own change applies at once", async () => {
    await sql("UPDATE user_account SET email = 'second@acme.example' WHERE id = $1", [second.id])
    expect((await api.put(second.iri, { email: 'mine@evil.example' })).body).toMatchObject({
      email: 'second@acme.example',
      waitingEmail: 'mine@evil.example',
    })
    await waitADay()
    expect(await stateOf(second.id)).toMatchObject({ email: 'mine@evil.example', waitingEmail: '' })
    expect((await other.put(second.iri, { email: 'own@acme.example' })).body.email).toBe('own@acme.example')
    expect((await api.put(worker.iri, { email: 'w@acme.example' })).body.email).toBe('w@acme.example')
  })

  test("a protected role's holder retains their password when another person sets it, even while the role waits", async () => {
    const set = (of: TestUser) => api.put(`${of.iri}/password`, { password: 'correct horse battery staple' })
    const refused = await set(second)
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('Send them a link')])
    await other.put(worker.iri, { roles: BOOKS })
    expect((await set(worker)).status).toBe(409)
    await other.post(`${worker.iri}/cancel-waiting`, {})
    expect((await set(worker)).status).toBe(204)
  })
})

test("the provider can't set the password of a company’s user, and a new e-mail address that it enters waits", async () => {
  const provider = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] }))
  const refused = await provider.put(`${worker.iri}/password`, { password: 'correct horse battery staple' })
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('Only an administrator of')])
  const changed = await provider.put(worker.iri, { email: 'mine@evil.example', telephone: '01632 960001' })
  expect(changed.body).toMatchObject({ email: '', waitingEmail: 'mine@evil.example', telephone: '01632 960001' })
  const confirmed = await confirm(other, { roles: [], email: 'mine@evil.example' })
  expect(confirmed.body).toMatchObject({ email: 'mine@evil.example', waitingEmail: '' })
})

describe('the account of a user who has lost a protected role', () => {
  const takeAway = (roles: readonly string[] = ['ROLE_EMPLOYEE']) => ({ roles })
  test.each([
    ['by PUT', () => api.put(second.iri, takeAway())],
    ['by PATCH', () => api.patch(second.iri, takeAway(), MERGE)],
    [
      'with a new address in the same request',
      () => api.put(second.iri, { ...takeAway(), email: 'mine@evil.example' }),
    ],
    [
      'after the role was assigned and lost again',
      async () => {
        await api.put(second.iri, takeAway())
        await api.put(second.iri, takeAway(['ROLE_CLIENT_ADMIN']))
        await api.post(`${second.iri}/cancel-waiting`, {})
        return api.put(second.iri, takeAway([]))
      },
    ],
    [
      'before being retired and restored',
      async () => {
        await api.put(second.iri, takeAway())
        await api.put(second.iri, { isRetired: true })
        return api.put(second.iri, { isRetired: false })
      },
    ],
    [
      'by the provider',
      async () => {
        const provider = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] }))
        return provider.put(second.iri, takeAway())
      },
    ],
  ])(
    'an account retains its password and e-mail address for a day after it loses a protected role: %s',
    async (_, take) => {
      expect((await take()).status).toBe(200)
      const email = 'mine@evil.example'
      expect((await api.put(second.iri, { email })).body).toMatchObject({ waitingEmail: email })
      expect((await api.patch(second.iri, { email }, MERGE)).body).toMatchObject({ waitingEmail: email })
      expect((await stateOf(second.id)).email).not.toBe(email)
      expect((await api.put(`${second.iri}/password`, { password: 'correct horse battery staple' })).status).toBe(409)
      await waitADay()
      await portal.db.tx('owner', async (tx) => {
        await tx.script('SET LOCAL session_replication_role = replica')
        await tx.rows("UPDATE audit SET at = at - interval '25 hours' WHERE client_id = $1", [client.id])
      })
      expect((await api.put(second.iri, { email: 'new@acme.example' })).body.email).toBe('new@acme.example')
      expect((await api.put(`${second.iri}/password`, { password: 'correct horse battery staple' })).status).toBe(204)
    },
  )
})

test('no user can give themselves a scope', async () => {
  const boss = await portal.provider.user({ roles: ['ROLE_USER_ADMIN'] })
  const scopes = ['leads.all']
  expect((await portal.provider.as(boss).put(boss.iri, { scopes })).status).toBe(403)
})
