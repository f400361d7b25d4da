import { describe, expect, test } from 'vitest'
import { processPasswordResetRequests, renderQueuedEmails } from '#test/support/letters.ts'
import { type TestClient, type TestUser, testPortal } from '#test/support/portal.ts'
import { passwordLink } from './first-login.server.ts'

const portal = await testPortal()
const OLD_PASSWORD = 'harbour tin piano'
const NEW = 'kettle moss ladder'
const FORGOT = '/api/security/password/forgot'
const sql = <T>(text: string, values: readonly unknown[] = []) =>
  portal.db.tx('system', (tx) => tx.rows<T>(text, values))
let n = 0

async function world(email = `person${++n}@x.example`) {
  const client = await portal.client()
  const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'], password: OLD_PASSWORD })
  const person = await client.user({ username: `person.${++n}`, name: 'Pat Moss', email, password: OLD_PASSWORD })
  return { client, admin, person }
}
/** Returns the recipients and tokens of the password links e-mailed to a client's users, oldest first. */
const links = async (client: TestClient) =>
  (await renderQueuedEmails(portal, client.id)).map(({ to, body }) => ({
    to,
    token: /forgotten-my-password\/([\w-]+)/.exec(body)?.[1] as string,
  }))
const forgot = async (body: Record<string, unknown>, remoteAddress = `10.2.${++n % 250}.1`) => {
  const answer = await portal.app.inject({ method: 'POST', url: FORGOT, payload: body, remoteAddress })
  await processPasswordResetRequests(portal)
  return answer
}
const reset = (token: string, password: unknown) =>
  portal.anonymous.post(`/api/portal/password/reset/${token}`, { password } as never)
const signsIn = async (p: TestUser, password: string) => {
  const body = { username: p.username, password, client: p.clientId }
  return (await portal.anonymous.post('/api/security/login', body)).status
}

describe('a forgotten password', () => {
  test('a password reset request gets the same response whether or not the account exists', async () => {
    const { person, client } = await world()
    const retired = await client.user({ username: `retired.${++n}`, email: 'r@x.example' })
    await sql('UPDATE user_account SET is_retired = true WHERE id = $1', [retired.id])
    const mailless = await client.user({ username: `mailless.${++n}` })
    const names = [person.username, 'nobody.at.all', retired.username, mailless.username, 'a\u0000b', "' OR 1=1 --"]
    for (const username of names) {
      const a = await forgot({ username })
      expect([a.statusCode, a.json().message]).toEqual([202, expect.stringMatching(/^No mail server is set up/)])
    }
    expect((await forgot({ username: 'x'.repeat(100_000) })).statusCode).toBe(422)
    expect((await forgot({ username: person.username, client: 99_999_999_999 })).statusCode).toBe(202)
    expect((await forgot({ username: person.username, client: 'Acme' })).statusCode).toBe(202)
    expect((await links(client)).map((l) => l.to)).toHaveLength(1)
    expect((await forgot({ username: ' ' })).statusCode).toBe(422)
  })

  test('a password reset request accepts an e-mail address instead of a username, and can be limited to a single client', async () => {
    const email = `shared${++n}@x.example`
    const [a, b] = [await world(email), await world(email)]
    await forgot({ username: email.toUpperCase(), client: String(a.client.id) })
    expect([(await links(a.client)).length, (await links(b.client)).length]).toEqual([1, 0])
    await forgot({ username: email })
    expect([(await links(a.client)).length, (await links(b.client)).length]).toEqual([2, 1])
  })

  test('a password reset request finds the account even if another client uses the same e-mail address', async () => {
    const email = `hidden${++n}@x.example`
    const crowd = await portal.client()
    for (let i = 0; i < 7; i++) await crowd.user({ username: `crowd.${++n}`, email })
    const { client } = await world(email)
    await forgot({ username: email })
    expect([(await links(crowd)).length, (await links(client)).length]).toEqual([5, 1])
  })

  test('a password reset link shows the username, works only once and is not stored in plain text', async () => {
    const { person, client } = await world()
    await forgot({ username: person.username })
    const [{ token } = { token: '' }] = await links(client)
    expect(JSON.stringify(await sql('SELECT * FROM password_reset'))).not.toContain(token)
    const { status, body } = await portal.anonymous.get(`/api/portal/password/reset/${token}`)
    expect([status, body.username]).toEqual([200, person.username])
    expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(59 * 60_000)
    expect((await reset(token, NEW)).status).toBe(204)
    expect([await signsIn(person, OLD_PASSWORD), await signsIn(person, NEW)]).toEqual([401, 200])
    const again = await reset(token, OLD_PASSWORD)
    expect([again.status, again.body.detail]).toEqual([
      404,
      'This link has been used or has expired. Please request a new one.',
    ])
    expect((await portal.anonymous.get(`/api/portal/password/reset/${token}`)).status).toBe(404)
  })

  test('a password reset request is answered before the account is looked up, and takes as much work for an unknown account as for an existing one', async () => {
    const { person, client } = await world()
    const asked = async (username: string) => {
      const before = (await sql('SELECT 1 FROM outbox')).length
      await portal.anonymous.post(FORGOT, { username })
      return (await sql('SELECT 1 FROM outbox')).length - before
    }
    expect([await asked(person.username), await asked('nobody.at.all')]).toEqual([1, 1])
    expect(await links(client)).toEqual([])
    await processPasswordResetRequests(portal)
    expect(await links(client)).toHaveLength(1)
  })

  test('the text typed into a password reset request is deleted once the request has been processed', async () => {
    const typed = `typed.by.mistake.${++n}`
    await portal.anonymous.post(FORGOT, { username: typed })
    await portal.anonymous.post(FORGOT, { username: `a password, ${typed}` })
    const kept = async () => JSON.stringify(await sql("SELECT payload FROM outbox WHERE kind = 'password.forgotten'"))
    expect(await kept()).not.toContain('a password')
    await portal.drain()
    expect(await kept()).not.toContain(typed)
  })

  test('all password reset links of an active user are valid for an hour or until one of them is used', async () => {
    const { person, client } = await world()
    await forgot({ username: person.username })
    await forgot({ username: person.username })
    const [first, second] = (await links(client)).map((l) => l.token) as [string, string]
    expect([(await reset(second, 'short')).status, (await reset(first, NEW)).status]).toEqual([422, 204])
    expect((await reset(second, OLD_PASSWORD)).status).toBe(404)
    await forgot({ username: person.username })
    const third = (await links(client)).at(-1)?.token as string
    await sql(`UPDATE password_reset SET expires_at = now() WHERE user_id = $1`, [person.id])
    expect((await reset(third, NEW)).status).toBe(404)
    await forgot({ username: person.username })
    const fourth = (await links(client)).at(-1)?.token as string
    await sql('UPDATE user_account SET is_retired = true WHERE id = $1', [person.id])
    expect((await reset(fourth, NEW)).status).toBe(404)
  })

  test('a password reset request does not invalidate an invitation', async () => {
    const { client, admin } = await world()
    const invited = await client.user({ username: `invited.${++n}`, email: `invited${n}@x.example` })
    expect((await client.as(admin).post(`${invited.iri}/invite`)).status).toBe(204)
    const [invitation] = await links(client)
    await forgot({ username: invited.username })
    await passwordLink.make(portal.engine, client.id, { userId: invited.id, lasts: 'reset' })
    expect((await reset(invitation?.token as string, NEW)).status).toBe(204)
  })

  test('a password reset request finds no account in a retired client', async () => {
    const { person, client } = await world()
    await forgot({ username: person.username })
    await sql('UPDATE client SET retired = true WHERE id = $1', [client.id])
    await forgot({ username: person.username })
    const [one, ...more] = await links(client)
    expect([more, (await reset(one?.token as string, NEW)).status]).toEqual([[], 404])
  })

  test('resetting a password ends every session of the user', async () => {
    const { person, client } = await world()
    expect((await client.as(person).get('/api/security/user_check')).status).toBe(200)
    await forgot({ username: person.username })
    await reset((await links(client))[0]?.token as string, NEW)
    expect((await client.as(person).get('/api/security/user_check')).status).toBe(401)
  })

  test('an account is sent at most five password reset e-mails, and their links remain valid despite further requests', async () => {
    const { person, client } = await world()
    for (let i = 0; i < 8; i++) expect((await forgot({ username: person.username })).statusCode).toBe(202)
    const sent = await links(client)
    expect(sent).toHaveLength(5)
    expect((await reset(sent[0]?.token as string, NEW)).status).toBe(204)
  })

  test('at most thirty password resets an hour can be requested from one network', async () => {
    const from = '10.2.255.9'
    await sql(
      `INSERT INTO attempt (key, tries, since, lasts, at) VALUES ($1, 30, now(), interval '1 hour', now() - interval '1 minute')`,
      [`forgotten-from:${from}`],
    )
    const refused = await forgot({ username: 'anybody' }, from)
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 3000]).toEqual([429, true])
  })

  test.each(['', '/', 'nonsense', '%00', `${'x'.repeat(400)}`, "'%20OR%201=1"])(
    'an invalid password reset link is refused: %s',
    async (token) => {
      expect((await portal.anonymous.get(`/api/portal/password/reset/${token}`)).status).toBe(404)
    },
  )
})

describe('a new password', () => {
  test.each([
    ['', 'Please enter a password'],
    [undefined, 'Please enter a password'],
    [12345678901234, 'Please enter a password'],
    ['short', 'Please use at least 10 characters'],
    ['aaaabbbbaaaabbbb', 'Please use a wider variety of characters'],
    ['password1234', 'This password is too easy to guess; three unrelated words make a good password'],
    ['x'.repeat(201), 'Please use at most 200 characters'],
  ])('the new password "%s" is refused, and the link remains valid', async (password, message) => {
    const { person, client } = await world()
    await forgot({ username: person.username })
    const token = (await links(client))[0]?.token as string
    const { status, body } = await reset(token, password)
    expect([status, body.violations]).toEqual([422, [{ propertyPath: 'password', message, code: 'invalid' }]])
    expect((await reset(token, NEW)).status).toBe(204)
  })

  test.each([
    ['1q2w3e4r5t', /has been leaked from another website or service/],
    ['12345678910', /has been leaked from another website or service/],
    ['P@ssw0rd2026', /too easy to guess/],
    ['Summer2026!', /too easy to guess/],
    ['qwertyuiop12', /too easy to guess/],
    ['Brick-and-Beam-26', /leave out your own name, your company’s name and the portal’s name/],
    ['Pat.Moss-2026', /leave out your own name/],
  ])(
    'an easily guessed password is refused, whether set by link or by an administrator: %s',
    async (password, message) => {
      const client = await portal.client({ company: 'Brick and Beam' })
      const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
      const person = await client.user({ username: `tried.${++n}`, name: 'Pat Moss', email: `tried${n}@x.example` })
      await forgot({ username: person.username })
      const byLink = await reset((await links(client))[0]?.token as string, password)
      const bySomebody = await client.as(admin).put(`${person.iri}/password`, { password })
      for (const { body } of [byLink, bySomebody]) expect(body?.violations?.[0].message ?? '').toMatch(message)
    },
  )

  test("a password can't be based on the user's own username", async () => {
    const { person, client } = await world()
    const mine = await client
      .as(person)
      .put(`${person.iri}/password`, { current: OLD_PASSWORD, password: `${person.username}1!` })
    expect(mine.status).toBe(422)
  })

  test("changing one's own password requires the current one and signs out other devices", async () => {
    const { person, client } = await world()
    const opened = await portal.anonymous.post('/api/security/login', {
      username: person.username,
      password: OLD_PASSWORD,
    })
    const me = client.as(person)
    for (const current of [undefined, 'wrong', 5]) {
      const { status, body } = await me.put(`${person.iri}/password`, { current, password: NEW })
      expect([status, body.violations[0].propertyPath]).toEqual([422, 'current'])
    }
    await portal.engine.security.flush()
    const [noted] = await sql(
      "SELECT sum(times)::int AS times FROM security_event WHERE user_id = $1 AND detail = 'current password'",
      [person.id],
    )
    expect(noted).toEqual({ times: 3 })
    expect((await me.put(`${person.iri}/password`, { current: OLD_PASSWORD, password: NEW })).status).toBe(204)
    expect((await me.get('/api/security/user_check')).status).toBe(200)
    expect((await portal.bearing(opened.body.token).get('/api/security/user_check')).status).toBe(401)
    expect(await signsIn(person, NEW)).toBe(200)
  })

  test('a password change is recorded in the audit trail, without the password', async () => {
    const { client, admin, person } = await world()
    await client.as(admin).put(`${person.iri}/password`, { password: NEW })
    const trail = await sql<{ changes: unknown }>(
      `SELECT user_id, username, type, row_id, verb, changes FROM audit WHERE client_id = $1 AND row_id = $2`,
      [client.id, person.id],
    )
    expect(trail).toEqual([
      { user_id: admin.id, username: admin.username, type: 'User', row_id: person.id, verb: 'password', changes: {} },
    ])
  })

  test("only administrators with access to a user can set that user's password", async () => {
    const [one, other] = [await world(), await world()]
    const staff = await portal.provider.user({ roles: ['ROLE_STAFF'] })
    // A client administrator at the provider, without the user administrator role.
    const desk = await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN'] })
    const boss = await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'], password: OLD_PASSWORD })
    const set = async (who: TestUser, whom: TestUser) =>
      (await portal.provider.as(who).put(`${whom.iri}/password`, { password: NEW })).status
    expect([
      await set(one.person, one.admin),
      await set(one.admin, other.person),
      await set(one.admin, boss),
      await set(staff, one.person),
      await set(desk, one.person),
      await set(desk, boss),
      await set(boss, one.person),
    ]).toEqual([404, 404, 404, 403, 403, 403, 409])
    expect(await set(boss, staff)).toBe(204)
    expect(await signsIn(boss, OLD_PASSWORD)).toBe(200)
  })

  test.each(['abc', '0', '99999999999999999999', '1.5', '-1', '%00'])(
    'setting a password or sending an invitation for the unknown user %s returns 404',
    async (id) => {
      const boss = await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] })
      const api = portal.provider.as(boss)
      expect((await api.put(`/api/portal/users/${id}/password`, { password: NEW })).status).toBe(404)
      expect((await api.post(`/api/portal/users/${id}/invite`)).status).toBe(404)
    },
  )
})

describe('an invitation', () => {
  test('an invitation counts towards the daily e-mail limit, and a name in it is never turned into a link', async () => {
    const { client, admin } = await world()
    const api = client.as(admin)
    const made = await api.post('/api/portal/users', {
      username: `new.${++n}`,
      name: 'Click http://evil.example/now J. Smith',
      email: 'new@x.example',
    })
    expect((await api.post(`${made.body['@id']}/invite`)).status).toBe(204)
    const [letter] = await renderQueuedEmails(portal, client.id)
    expect(letter?.body).toContain('Hello Click http evil example now J. Smith,')
    await sql('UPDATE letter_day SET recipients = 50 WHERE client_id = $1', [client.id])
    expect((await api.post(`${made.body['@id']}/invite`)).status).toBe(429)
    expect((await api.put(made.body['@id'], { email: 'other@x.example' })).status).toBe(429)
    expect(await renderQueuedEmails(portal, client.id)).toHaveLength(1)
  })

  test('an invitation lets a new user choose a password within a week', async () => {
    const { client, admin } = await world()
    const made = await client.as(admin).post('/api/portal/users', {
      username: `new.${++n}`,
      name: 'New One',
      email: 'new@x.example',
    })
    expect((await client.as(admin).post(`${made.body['@id']}/invite`)).status).toBe(204)
    const [letter] = await links(client)
    expect(letter?.to).toBe('new@x.example')
    await sql(`UPDATE password_reset SET expires_at = expires_at - interval '6 days' WHERE user_id = $1`, [
      made.body.id,
    ])
    expect((await reset(letter?.token as string, NEW)).status).toBe(204)
    const body = { username: made.body.username, password: NEW }
    expect((await portal.anonymous.post('/api/security/login', body)).status).toBe(200)
  })

  test('an invitation requires an e-mail address', async () => {
    const { client, admin } = await world()
    const { status, body } = await client.as(admin).post(`${admin.iri}/invite`)
    expect([status, body.violations[0]]).toEqual([
      422,
      { propertyPath: 'email', message: 'This user has no e-mail address yet', code: 'invalid' },
    ])
  })

  test("an invitation can't be sent to a retired user", async () => {
    const { client, admin, person } = await world()
    await client.as(admin).put(person.iri, { isRetired: true })
    expect((await client.as(admin).post(`${person.iri}/invite`)).status).toBe(409)
  })

  test('administrators can send invitations only to users they have access to', async () => {
    const [one, other] = [await world(), await world()]
    const desk = await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN'] })
    const boss = await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] })
    const send = async (who: TestUser) => (await portal.provider.as(who).post(`${one.person.iri}/invite`)).status
    expect([await send(one.person), await send(other.admin), await send(desk), await send(boss)]).toEqual([
      403, 404, 403, 204,
    ])
  })
})
