import { beforeAll, describe, expect, test } from 'vitest'
import { endSessions } from '#server/auth/credentials.ts'
import { type TestApi, type TestClient, type TestUser, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const PASSWORD = 'harbour tin piano'
const PAGE = { 'x-requested-with': 'portal' }
const CHECK = '/api/security/user_check'
const REASON = 'They rang: the hazards list is empty'
const sql = <T>(text: string, values: readonly unknown[] = []) =>
  portal.db.tx('system', (tx) => tx.rows<T>(text, values))

let client: TestClient
let admin: TestUser
let worker: TestUser

beforeAll(async () => {
  client = await portal.client({ company: 'Brick & Beam' })
  admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'], username: 'admin.brick', password: PASSWORD })
  worker = await client.user({ roles: ['ROLE_EMPLOYEE'], username: 'worker.brick', password: PASSWORD })
})

/** Creates a provider user and signs them in. Returns the user, the token and the session cookie. */
async function staffMember(roles: readonly string[] = ['ROLE_STAFF']) {
  const user = await portal.provider.user({ roles, password: PASSWORD })
  const { body, headers } = await portal.anonymous.post(
    '/api/security/login',
    { username: user.username, password: PASSWORD, client: 0 },
    PAGE,
  )
  return { user, token: body.token as string, cookie: String(headers['set-cookie']).split(';')[0] as string }
}
const switchTo = (token: string, to: TestUser, reason = REASON) =>
  portal
    .bearing(token)
    .get(
      `/api/security/user/switch?${new URLSearchParams({ username: to.username, client: String(to.clientId), reason })}`,
    )
const unswitch = (token: string) => portal.bearing(token).get('/api/security/user/unswitch')
const renew = (cookie: string) => portal.anonymous.post('/api/security/renew', {}, { cookie, ...PAGE })
const status = async (token: string) => (await portal.bearing(token).get(CHECK)).status
const allowWrites = (token: string, reason = 'To mend it with them') =>
  portal.bearing(token).post('/api/security/user/write', { reason })
async function visiting(to: TestUser = admin, { writes = true } = {}) {
  const staff = await staffMember()
  const { body } = await switchTo(staff.token, to)
  if (writes) await allowWrites(body.token)
  return { ...staff, own: staff.token, token: body.token as string, as: portal.bearing(body.token) as TestApi }
}
async function minutesPass(userId: number, minutes: number) {
  await sql(
    `UPDATE access_token SET expires_at = expires_at - make_interval(mins => $2), as_until = as_until - make_interval(mins => $2) WHERE session_id IN (SELECT id FROM session WHERE user_id = $1)`,
    [userId, minutes],
  )
  await sql('UPDATE session SET as_until = as_until - make_interval(mins => $2) WHERE user_id = $1', [userId, minutes])
  await sql('UPDATE visit SET until = until - make_interval(mins => $2) WHERE visitor_user_id = $1', [userId, minutes])
  portal.sessions.forget()
}
const visits = async () => (await client.as(admin).get('/api/portal/visits')).body['hydra:member']

describe("impersonating a client's user", () => {
  test("starting an impersonation returns a new token with the user's rights and the name of the real person", async () => {
    const { user, token } = await staffMember()
    const { status: code, body } = await switchTo(token, admin)
    expect(code).toBe(200)
    expect(body.token).not.toBe(token)
    expect(body.user).toMatchObject({
      id: admin.id,
      username: 'admin.brick',
      client: { id: client.id, company: 'Brick & Beam' },
      roles: ['ROLE_CLIENT_ADMIN'],
      isStaff: false,
      isImpersonating: true,
      original: { id: user.id, clientId: 0, username: user.username },
      impersonation: { reason: REASON },
    })
    expect(Date.parse(body.user.impersonation.until) - Date.now()).toBeGreaterThan(29 * 60_000)
    expect((await portal.bearing(body.token).get(CHECK)).body).toEqual({ ...body.user })
  })

  test('impersonation grants exactly the permissions of the impersonated user', async () => {
    const { as } = await visiting()
    const { body } = await as.get('/api/portal/users')
    expect(body['hydra:member'].every((u: { client: { id: number } }) => u.client.id === client.id)).toBe(true)
    expect((await as.get('/api/crm/contacts')).status).toBe(403)
    expect((await as.get('/api/portal/clients')).body['hydra:totalItems']).toBe(1)
    const paths = (await as.get('/api/portal/navigations')).body['hydra:member'].map((n: { path: string }) => n.path)
    expect(paths).toContain('/config/users')
    expect(paths).not.toContain('/crm/contact/list')
  })

  test('the start and end of an impersonation are logged for the client', async () => {
    const { user, token } = await visiting()
    const [open] = await visits()
    expect(open).toMatchObject({
      visitorUsername: user.username,
      visitorName: user.username,
      asUsername: 'admin.brick',
      reason: REASON,
      endedAt: null,
    })
    await unswitch(token)
    const [over] = await visits()
    expect([over.id, over.endedAt]).toEqual([open.id, expect.any(String)])
    expect((await client.as(worker).get('/api/portal/visits')).status).toBe(403)
    const other = await portal.client()
    const stranger = await other.user({ roles: ['ROLE_CLIENT_ADMIN'] })
    expect((await other.as(stranger).get('/api/portal/visits')).body['hydra:totalItems']).toBe(0)
  })

  test('impersonation survives a page reload', async () => {
    const { cookie } = await visiting()
    const { body } = await renew(cookie)
    expect(body.user).toMatchObject({ username: 'admin.brick', isImpersonating: true })
    expect(body.expiresIn).toBeLessThanOrEqual(1800)
  })
})

describe('permission to impersonate', () => {
  const asking = async (who: TestUser, to: TestUser) =>
    portal.provider
      .as(who)
      .get(
        `/api/security/user/switch?username=${to.username}&client=${to.clientId}&reason=${encodeURIComponent(REASON)}`,
      )

  test('only staff may impersonate users', async () => {
    const reseller = await portal.client({ isReseller: true })
    const people = [
      admin,
      worker,
      await reseller.user({ roles: ['ROLE_RESELLER'] }),
      await portal.provider.user({ roles: ['ROLE_USER_ADMIN', 'ROLE_CLIENTS_ADMIN'] }),
      await portal.provider.user(),
    ]
    for (const p of people) expect((await asking(p, worker)).status).toBe(403)
    expect((await portal.anonymous.get('/api/security/user/switch')).status).toBe(401)
  })

  test("a client's user can't impersonate anybody, even with the role for impersonation", async () => {
    const stray = await client.user({ roles: ['ROLE_STAFF'] })
    const other = await portal.client()
    const target = await other.user()
    expect((await asking(stray, target)).status).toBe(403)
  })

  test("the provider's own users, unknown users and retired users can't be impersonated", async () => {
    const { token } = await staffMember()
    const boss = await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] })
    const gone = await client.user()
    await sql('UPDATE user_account SET is_retired = true WHERE id = $1', [gone.id])
    for (const to of [boss, gone, { ...admin, username: 'nobody' }, { ...admin, clientId: admin.clientId + 1 }])
      expect((await switchTo(token, to)).status).toBe(404)
    expect(await status(token)).toBe(200)
  })

  test.each([
    ['username', { username: '' }],
    ['client', { client: '' }],
    ['client', { client: 'Brick' }],
    ['client', { client: '99999999999' }],
  ])('impersonation with an invalid %s is refused with an error at that field', async (field, change) => {
    const { token } = await staffMember()
    const query = new URLSearchParams({ username: 'admin.brick', client: String(client.id), reason: REASON, ...change })
    const answer = await portal.bearing(token).get(`/api/security/user/switch?${query}`)
    expect(answer.status).toBe(422)
    expect(answer.body.violations.map((v: { propertyPath: string }) => v.propertyPath)).toEqual([field])
  })

  test('impersonation needs no reason unless a setting requires one', async () => {
    const { token } = await staffMember()
    const to = `/api/security/user/switch?username=admin.brick&client=${client.id}`
    const strict = await portal.with({ VISIT_NEEDS_REASON: 'true' })
    const refused = await strict.bearing(token).get(`${to}&reason=%20`)
    expect([refused.status, refused.body.violations[0].propertyPath]).toEqual([422, 'reason'])
    expect((await portal.bearing(token).get(to)).status).toBe(200)
    expect((await visits())[0].reason).toBe('')
  })

  test('an impersonation reason may contain any characters, and is shortened to 500 characters', async () => {
    const { token } = await staffMember()
    expect((await switchTo(token, admin, `<b>\u0000${'é'.repeat(1000)}`)).status).toBe(200)
    expect((await visits())[0].reason).toBe(`<b>${'é'.repeat(497)}`)
  })
})

describe('requests during an impersonation', () => {
  test("a second impersonation can't start until the first one has ended", async () => {
    const { token } = await visiting()
    expect((await switchTo(token, worker)).status).toBe(403)
  })

  test("an impersonator can't start another impersonation, even if the impersonated user could", async () => {
    const stray = await client.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN'] })
    const { token } = await visiting(stray)
    expect((await switchTo(token, worker)).status).toBe(403)
  })

  test('if another tab impersonates somebody else, the first impersonation and its token end immediately', async () => {
    const { own, token } = await visiting()
    expect(await status(token)).toBe(200)
    const second = await switchTo(own, worker)
    expect(second.body.user.username).toBe('worker.brick')
    expect(await status(token)).toBe(401)
    const [now, before] = await visits()
    expect([now.asUsername, now.endedAt]).toEqual(['worker.brick', null])
    expect([before.asUsername, typeof before.endedAt]).toEqual(['admin.brick', 'string'])
  })

  test('records saved during an impersonation have the real person as author, and the audit trail names both', async () => {
    const { user, as } = await visiting()
    expect((await as.put(client.iri, { city: 'Leeds' })).status).toBe(200)
    expect((await as.put(worker.iri, { telephone: '01632 960123' })).status).toBe(200)
    const trail = await sql(
      `SELECT type, verb, user_id, username, as_user_id, as_username FROM audit WHERE client_id = $1 AND as_user_id = $2 ORDER BY id`,
      [client.id, admin.id],
    )
    const both = { user_id: user.id, username: user.username, as_user_id: admin.id, as_username: 'admin.brick' }
    expect(trail).toEqual([
      { type: 'Client', verb: 'update', ...both },
      { type: 'User', verb: 'update', ...both },
    ])
  })

  test('notes added during an impersonation have the real person as author', async () => {
    const caller = await client.user({ roles: ['ROLE_STAFF'] })
    const { user, as } = await visiting(caller)
    const lead = (await as.post('/api/crm/contacts', { companyName: 'Acme' })).body
    expect(lead.lastEditBy).toBe(user.username)
    await as.put(lead['@id'], { city: 'Leeds' })
    expect((await as.post(`${lead['@id']}/outcomes`, { result: '/api/crm/last_results/47' })).body.code).toBe(
      'in_person',
    )
    const { body } = await as.post('/api/crm/actions', { contact: lead['@id'], notes: 'Rang back' })
    expect([body.author, body.user]).toEqual([user.username, null])
    const notes = (await as.get(`${lead['@id']}/actions`)).body['hydra:member']
    expect(notes.map((n: { author: string }) => n.author)).toEqual([user.username, user.username])
  })

  test("the impersonated user's password can't be changed during an impersonation", async () => {
    const { as } = await visiting()
    const answer = await as.put(`${admin.iri}/password`, { current: PASSWORD, password: 'kettle moss ladder' })
    expect([answer.status, answer.body.code]).toEqual([403, 'in_person'])
  })

  test("an impersonator can't change any user's password or send a password link", async () => {
    const { as } = await visiting()
    expect((await as.put(`${worker.iri}/password`, { password: 'kettle moss ladder' })).status).toBe(403)
    await sql(`UPDATE user_account SET email = 'w@brick.example' WHERE id = $1`, [worker.id])
    expect((await as.post(`${worker.iri}/invite`)).status).toBe(403)
  })

  test("impersonators can't create lasting access: no new users, no changes to usernames, e-mail addresses or roles", async () => {
    const { as } = await visiting()
    for (const answer of [
      await as.put(worker.iri, { email: 'visitor@attacker.example' }),
      await as.patch(worker.iri, { username: 'other.name' }),
      await as.put(worker.iri, { roles: ['ROLE_EMPLOYEE', 'ROLE_CLIENT_ADMIN'] }),
      await as.put(admin.iri, { email: 'visitor@attacker.example' }),
    ])
      expect([answer.status, answer.body.detail]).toEqual([
        403,
        'You can’t add or restore users, or change usernames, e-mail addresses or roles, while working as somebody else. Switch back to your own account first.',
      ])
    const made = await as.post('/api/portal/users', { username: 'new.one', name: 'New', roles: ['ROLE_CLIENT_ADMIN'] })
    expect([made.status, made.body.code]).toEqual([403, 'in_person'])
    expect((await as.put(worker.iri, { name: 'Wendy Worker' })).body.code).toBe('in_person')
    expect((await as.put(worker.iri, { roles: ['ROLE_EMPLOYEE'], telephone: '01632 960001' })).status).toBe(200)
  })

  test('an impersonator can list and end their own sessions during an impersonation', async () => {
    const theirs = await portal.anonymous.post('/api/security/login', { username: 'admin.brick', password: PASSWORD })
    const { user, as } = await visiting()
    const { body } = await as.get('/api/security/sessions')
    const ids = body['hydra:member'].map((s: { id: number }) => s.id)
    const mine = await sql<{ id: number }>('SELECT id FROM session WHERE user_id = $1', [user.id])
    expect(ids).toEqual(mine.map((s) => s.id))
    const [other] = await sql<{ id: number }>('SELECT max(id) AS id FROM session WHERE user_id = $1', [admin.id])
    expect((await as.delete(`/api/security/sessions/${other?.id}`)).status).toBe(404)
    expect(await status(theirs.body.token)).toBe(200)
  })
})

describe('a read-only impersonation', () => {
  const refusal = 'You have read-only access. Choose “Allow changes” and enter a reason, then try again.'

  test("a read-only impersonation can't change anything through any endpoint", async () => {
    const { as, user } = await visiting(admin, { writes: false })
    expect((await as.get(CHECK)).body.impersonation.writes).toBe(false)
    expect((await as.get('/api/portal/users')).status).toBe(200)
    for (const answer of [
      await as.put(client.iri, { city: 'York' }),
      await as.patch(worker.iri, { telephone: '01632 960999' }),
      await as.post('/api/safety/risk_assessments', { description: 'My views' }),
      await as.post('/api/portal/users/bulk', { ids: [worker.id], action: 'retire' }),
      await as.post('/api/portal/exports', {}),
      await as.post(`${worker.iri}/invite`),
      await as.put(`${admin.iri}/password`, { current: PASSWORD, password: 'kettle moss ladder' }),
    ])
      expect([answer.status, answer.body.code, answer.body.detail]).toEqual([403, 'visit_read_only', refusal])
    expect(await sql('SELECT 1 FROM audit WHERE user_id = $1', [user.id])).toEqual([])
  })

  test('a read-only impersonation allows changes once a reason, which the client can read, has been given', async () => {
    const { as, token } = await visiting(admin, { writes: false })
    const blank = await as.post('/api/security/user/write', { reason: ' ' })
    expect([blank.status, blank.body.violations[0].propertyPath]).toEqual([422, 'reason'])
    const { status: code, body } = await allowWrites(token, 'The address is wrong')
    expect([code, body.user.impersonation.writes]).toEqual([200, true])
    expect((await portal.bearing(body.token).put(client.iri, { city: 'Hull' })).status).toBe(200)
    expect((await as.put(client.iri, { city: 'York' })).status).toBe(200)
    // The reason belongs to the time from which changes were allowed, so a later one does not replace it.
    expect((await allowWrites(token, 'Another reason')).status).toBe(200)
    expect((await visits())[0]).toMatchObject({
      changesAllowedAt: expect.any(String),
      changesReason: 'The address is wrong',
    })
  })

  test('an impersonator in read-only mode can leave, sign out or start another impersonation without a reason', async () => {
    const { token, own } = await visiting()
    const { body } = await unswitch(token)
    expect(body.user.isImpersonating).toBe(false)
    const second = await switchTo(own, admin)
    expect(second.body.user.impersonation.writes).toBe(false)
    expect((await portal.bearing(second.body.token).put(client.iri, { city: 'Hull' })).status).toBe(403)
    expect((await unswitch(second.body.token)).status).toBe(200)
  })

  test('read-only mode does not apply to users who are not impersonating', async () => {
    expect((await client.as(admin).post('/api/security/user/write', { reason: 'x' })).status).toBe(409)
  })
})

describe('the end of an impersonation', () => {
  test('leaving an impersonation invalidates its token immediately', async () => {
    const { user, token, own } = await visiting()
    expect(await status(token)).toBe(200)
    const { body } = await unswitch(token)
    expect(body.user).toMatchObject({
      username: user.username,
      isImpersonating: false,
      original: null,
      impersonation: null,
    })
    expect([await status(token), await status(own), await status(body.token)]).toEqual([401, 200, 200])
    const again = await unswitch(body.token)
    expect([again.status, again.body.detail]).toEqual([409, 'You are not working as another person.'])
  })

  test('an impersonation ends after thirty minutes even if active, and the cookie then signs the real person in again', async () => {
    const { user, token, cookie } = await visiting()
    await minutesPass(user.id, 29)
    expect(await status(token)).toBe(200)
    expect((await renew(cookie)).body.expiresIn).toBeLessThanOrEqual(60)
    await minutesPass(user.id, 1)
    expect(await status(token)).toBe(401)
    const { body } = await renew(cookie)
    expect(body.user).toMatchObject({ username: user.username, isImpersonating: false })
    expect((await visits())[0]).toMatchObject({ visitorUsername: user.username, endedAt: expect.any(String) })
  })

  test('signing out ends an impersonation', async () => {
    const { user, token, own } = await visiting()
    await portal.bearing(token).post('/api/security/logout')
    expect([await status(token), await status(own)]).toEqual([401, 401])
    expect((await visits())[0]).toMatchObject({ visitorUsername: user.username, endedAt: expect.any(String) })
  })

  test('an impersonation ends when all sessions of the real person are ended', async () => {
    const { user, token } = await visiting()
    await portal.db.tx('system', (tx) => endSessions(tx, { clientId: 0, userId: user.id }))
    portal.sessions.forget()
    expect(await status(token)).toBe(401)
    expect((await visits())[0]).toMatchObject({ visitorUsername: user.username, endedAt: expect.any(String) })
  })

  test('an impersonation ends when the impersonated user is retired, without signing out the real person', async () => {
    const leaver = await client.user()
    const { user, token, cookie } = await visiting(leaver)
    await client.as(admin).put(leaver.iri, { isRetired: true })
    expect(await status(token)).toBe(401)
    expect((await renew(cookie)).body.user).toMatchObject({ username: user.username, isImpersonating: false })
  })

  test('an impersonation ends when the real person is retired', async () => {
    const { user, token, cookie } = await visiting()
    const boss = await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] })
    expect((await portal.provider.as(boss).put(user.iri, { isRetired: true })).status).toBe(200)
    expect([await status(token), (await renew(cookie)).status]).toEqual([401, 401])
  })
})
