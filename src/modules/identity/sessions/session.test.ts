import { describe, expect, test } from 'vitest'
import {
  browser,
  later,
  nextOf,
  PAGE,
  PASSWORD,
  person,
  renew,
  setBy,
  sql,
  works,
} from '#test/support/browser-sessions.ts'
import { type TestResponse, type TestUser, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const CHECK = '/api/security/user_check'
const SESSIONS = '/api/security/sessions'

describe('a token', () => {
  test('a token is random, carries no data and is stored only as a hash', async () => {
    const p = await person()
    const [one, two] = [await browser(p), await browser(p)]
    expect(one.token).toMatch(/^[\w-]{43}$/)
    expect(one.token).not.toBe(two.token)
    const stored = JSON.stringify([
      await sql('SELECT * FROM access_token'),
      await sql('SELECT * FROM session'),
      await sql('SELECT * FROM audit WHERE client_id = $1', [p.clientId]),
    ])
    for (const secret of [one.token, two.token, one.cookie.split('=')[1]]) expect(stored).not.toContain(secret)
  })

  test('a token is never stored with the response saved for an Idempotency-Key', async () => {
    const p = await person()
    const { token } = await browser(p)
    const body = { username: p.username, password: PASSWORD, client: p.clientId }
    const key = { 'idempotency-key': `sign in ${p.id}` }
    const { body: opened } = await portal.bearing(token).post('/api/security/login', body, key)
    expect(opened.token).toMatch(/^[\w-]{43}$/)
    expect(await sql('SELECT key FROM idempotency WHERE key = $1', [key['idempotency-key']])).toEqual([])
  })

  test.each([
    ['no token', undefined],
    ['an unknown token', 'Bearer nonsense'],
    ['an empty token', 'Bearer '],
    ['a token with another scheme', 'Basic c3RhZmY6cGFzc3dvcmQ='],
    ['a token with a zero byte', 'Bearer a%00b'],
  ])('a request with %s gets 401', async (_, authorization) => {
    const { status, headers, body } = await portal.anonymous.get(CHECK, authorization ? { authorization } : {})
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe('Bearer')
    expect(body['hydra:description']).toBeTruthy()
  })

  test('a token is extended by use and expires if unused', async () => {
    const p = await person()
    const { token } = await browser(p)
    for (let i = 0; i < 4; i++) {
      await later(p.id, 20)
      expect(await works(token)).toBe(true)
    }
    await later(p.id, 31)
    const { status, headers, body } = await portal.bearing(token).get(CHECK)
    expect([status, headers['www-authenticate'], body.detail]).toEqual([
      401,
      'Bearer',
      'Your session has ended. Please sign in again.',
    ])
  })

  test('a token is extended by use even if another tab uses the same session', async () => {
    const p = await person()
    const one = await browser(p)
    const other = (await renew(one.cookie)).body.token
    for (let i = 0; i < 4; i++) {
      await later(p.id, 10)
      // Uses the other tab slightly before this one each time.
      expect(await works(other)).toBe(true)
      expect(await works(one.token)).toBe(true)
    }
  })

  test('no process caches a token beyond the end of its session or impersonation', async () => {
    const p = await person()
    const staff = await portal.provider.user({ roles: ['ROLE_STAFF'] })
    const to = `username=${p.username}&client=${p.clientId}&reason=Help`
    const visit = (await portal.provider.as(staff).get(`/api/security/user/switch?${to}`)).body.token
    const { token } = await browser(p)
    portal.sessions.forget()
    await sql("UPDATE session SET expires_at = now() + interval '300 ms', ends_at = now() WHERE user_id = $1", [p.id])
    await sql("UPDATE access_token SET as_until = now() + interval '300 ms' WHERE as_user_id = $1", [p.id])
    for (const soonOver of [token, visit]) {
      await portal.bearing(soonOver).get(CHECK)
      await expect.poll(() => works(soonOver), { timeout: 4000, interval: 100 }).toBe(false)
    }
  })

  test("the token's scheme is accepted in upper and lower case", async () => {
    const { token } = await browser(await person())
    for (const scheme of ['bearer', 'BEARER', 'Bearer', 'bEaReR'])
      expect((await portal.anonymous.get(CHECK, { authorization: `${scheme} ${token}` })).status).toBe(200)
  })

  test('a token expires with its session, even if active', async () => {
    const p = await person()
    const { token } = await browser(p)
    await sql(`UPDATE session SET expires_at = now() - interval '1 second' WHERE user_id = $1`, [p.id])
    portal.sessions.forget()
    expect(await works(token)).toBe(false)
  })

  test("a retired user's token is invalid immediately", async () => {
    const client = await portal.client()
    const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
    const p = await client.user()
    expect((await client.as(p).get(CHECK)).status).toBe(200)
    expect((await client.as(admin).put(p.iri, { isRetired: true })).status).toBe(200)
    expect((await client.as(p).get(CHECK)).status).toBe(401)
  })
})

describe('the session cookie', () => {
  test('the session cookie is inaccessible to scripts and other sites', async () => {
    const { set } = await browser(await person())
    expect(set).toMatch(/^stanchion_session=[\w-]{43}; Path=\/api\/security; HttpOnly; SameSite=Strict; Max-Age=43200$/)
    const secure = await portal.with({ PUBLIC_URL: 'https://portal.example' })
    const p = await person()
    const body = { username: p.username, password: PASSWORD }
    const { headers } = await secure.anonymous.post('/api/security/login', body, PAGE)
    for (const set of [headers['set-cookie']].flat()) expect(set).toMatch(/; Secure$/)
  })

  test('the session cookie obtains a new token after a reload and in every tab, and each renewal extends its expiry', async () => {
    const p = await person()
    const { cookie, token } = await browser(p)
    const tabs = await Promise.all([renew(cookie), renew(cookie), renew(cookie)])
    const tokens = [token, ...tabs.map((t) => t.body.token as string)]
    expect(new Set(tokens).size).toBe(4)
    for (const t of tokens) expect(await works(t)).toBe(true)
    expect(tabs[0]?.body.user.username).toBe(p.username)
    expect(tabs[0]?.headers['cache-control']).toBe('no-store')
    await later(p.id, 11 * 60)
    const next = await renew(nextOf(tabs[2] as TestResponse))
    expect([next.status, setBy(next)]).toEqual([200, expect.stringContaining('Max-Age=43200')])
    await later(p.id, 11 * 60)
    const last = await renew(nextOf(next))
    expect(last.status).toBe(200)
    await later(p.id, 12 * 60 + 1)
    const over = await renew(nextOf(last))
    expect([over.status, over.body.detail]).toEqual([401, 'Expired Session'])
  })

  test('the session cookie is replaced at each renewal, from any tab', async () => {
    const { cookie } = await browser(await person())
    const [one, two] = [await renew(cookie), await renew(cookie)]
    expect(new Set([cookie, nextOf(one), nextOf(two)]).size).toBe(3)
    expect((await renew(nextOf(one))).status).toBe(200)
  })

  test('reusing an old session cookie ends the session, because reuse means that the cookie was copied', async () => {
    const p = await person()
    const { cookie, token } = await browser(p)
    const next = nextOf(await renew(cookie))
    const current = nextOf(await renew(next))
    await later(p.id, 1)
    expect((await renew(cookie)).status).toBe(401)
    expect([await works(token), (await renew(current)).status]).toEqual([false, 401])
  })

  test('if two tabs renew with the same cookie, using one of the two new cookies invalidates the other', async () => {
    const p = await person()
    const { cookie } = await browser(p)
    const [one, two] = [nextOf(await renew(cookie)), nextOf(await renew(cookie))]
    expect((await renew(two)).status).toBe(200)
    await later(p.id, 1)
    expect((await renew(one)).status).toBe(401)
  })

  test("a new sign-in ends the browser's previous session and invalidates its cookie", async () => {
    const p = await person()
    const first = await browser(p)
    const second = await browser(p, { ...PAGE, cookie: first.cookie })
    expect([await works(first.token), await works(second.token)]).toEqual([false, true])
    expect((await renew(first.cookie)).status).toBe(401)
  })

  test.each([
    ["without the header that only the portal's page can send", {}],
    ['with a wrong value in that header', { 'x-requested-with': 'XMLHttpRequest' }],
    ['from another site', { ...PAGE, origin: 'https://evil.example' }],
    ['from a sandboxed page', { ...PAGE, origin: 'null' }],
    ['from an unreadable origin', { ...PAGE, origin: '://' }],
    ['from another port', { ...PAGE, host: 'localhost', origin: 'http://localhost:81' }],
  ])('a session renewal %s is refused', async (_, headers) => {
    const { cookie } = await browser(await person())
    expect((await renew(cookie, headers as never)).status).toBe(401)
    expect((await renew(cookie, { ...PAGE, host: 'portal.example', origin: 'https://portal.example' })).status).toBe(
      200,
    )
  })

  test.each([
    ['an API client', {}],
    ['a page on another site', { ...PAGE, origin: 'https://evil.example' }],
    ['a sandboxed page', { ...PAGE, origin: 'null' }],
  ])('a sign-in from %s sets no session cookie', async (_, headers) => {
    const { token, set } = await browser(await person(), headers as never)
    expect([await works(token), set]).toEqual([true, undefined])
  })

  test("a session cookie can't be used as a token, nor a token as a cookie", async () => {
    const { cookie, token } = await browser(await person())
    expect(await works(cookie.split('=')[1] as string)).toBe(false)
    expect((await renew(`stanchion_session=${token}`)).status).toBe(401)
    expect((await renew('')).status).toBe(401)
  })

  test("another site's scripts can't renew the session cookie", async () => {
    const { headers } = await portal.anonymous.send('OPTIONS', '/api/security/renew')
    expect(headers['access-control-allow-headers']?.toLowerCase() ?? '').not.toContain('x-requested-with')
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  })
})

describe('signing out', () => {
  test('signing out immediately invalidates the token, the cookie and the other tabs', async () => {
    const p = await person()
    const { token, cookie } = await browser(p)
    const tab = (await renew(cookie)).body.token
    expect(await works(tab)).toBe(true)
    const { status, headers } = await portal.bearing(token).post('/api/security/logout', {}, PAGE)
    expect([status, headers['set-cookie']]).toEqual([204, expect.stringContaining('Max-Age=0')])
    expect([await works(token), await works(tab), (await renew(cookie)).status]).toEqual([false, false, 401])
  })

  test('signing out ends the session even if the token has expired', async () => {
    const p = await person()
    const { token, cookie } = await browser(p)
    await later(p.id, 31)
    const bearing = portal.bearing(token)
    expect((await bearing.post('/api/security/logout', {}, { cookie, ...PAGE })).status).toBe(204)
    expect((await renew(cookie)).status).toBe(401)
  })

  test("a sign-out request from another site doesn't end the session", async () => {
    const { cookie } = await browser(await person())
    const { headers } = await portal.anonymous.post('/api/security/logout', {}, { cookie })
    expect(headers['set-cookie']).toBeUndefined()
    const form = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
    const sent = await portal.anonymous.send('POST', '/api/security/logout', { headers: form })
    expect([sent.status, sent.headers['set-cookie']]).toEqual([204, undefined])
    expect((await renew(cookie)).status).toBe(200)
  })

  test('signing out twice or without a session is not an error', async () => {
    const { token } = await browser(await person())
    for (const api of [portal.bearing(token), portal.bearing(token), portal.anonymous])
      expect((await api.post('/api/security/logout')).status).toBe(204)
  })

  test('signing out leaves other devices signed in', async () => {
    const p = await person()
    const [desk, phone] = [await browser(p), await browser(p)]
    await portal.bearing(desk.token).post('/api/security/logout')
    expect(await works(phone.token)).toBe(true)
  })
})

describe('the maximum age of a session', () => {
  const busyFor = async (p: TestUser, hours: number) => {
    let { cookie } = await browser(p)
    for (let i = 0; i < hours / 4; i++) {
      await later(p.id, 4 * 60)
      const answer = await renew(cookie)
      if (answer.status !== 200) return i * 4
      cookie = nextOf(answer)
    }
    return hours
  }

  test("a provider user's session ends after twelve hours, even if active", async () => {
    expect(await busyFor(await portal.provider.user({ password: PASSWORD }), 16)).toBe(8)
  })

  test("any other user's session ends after seven days, even if active", async () => {
    const p = await person()
    expect(await busyFor(p, 24)).toBe(24)
    await browser(p)
    const [session] = await sql<{ days: number }>(
      'SELECT extract(epoch FROM ends_at - created_at)::int / 86400 AS days FROM session WHERE user_id = $1 ORDER BY id DESC',
      [p.id],
    )
    expect(session?.days).toBe(7)
  })
})

describe('a user who has left', () => {
  test("a user who is retired and restored can't use an earlier session", async () => {
    const client = await portal.client()
    const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
    const p = await client.user({ password: PASSWORD })
    const { token, cookie } = await browser(p)
    for (const isRetired of [true, false]) expect((await client.as(admin).put(p.iri, { isRetired })).status).toBe(200)
    expect([await works(token), (await renew(cookie)).status]).toEqual([false, 401])
  })

  test('users of a retired client can neither sign in nor continue a session, whichever endpoint retired the client', async () => {
    const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'] }))
    for (const door of ['/api/portal/clients', '/api/crm/clients']) {
      const client = await portal.client()
      const p = await client.user({ password: PASSWORD })
      const { token, cookie } = await browser(p)
      const body = { username: p.username, password: PASSWORD, client: client.id }
      expect((await keeper.put(`${door}/${client.id}`, { retired: true })).status).toBe(200)
      const signIn = await portal.anonymous.post('/api/security/login', body)
      expect([signIn.status, await works(token), (await renew(cookie)).status]).toEqual([401, false, 401])
      expect((await keeper.put(`${door}/${client.id}`, { retired: false })).status).toBe(200)
      expect([await works(token), (await renew(cookie)).status]).toEqual([false, 401])
    }
    expect((await keeper.put('/api/portal/clients/0', { retired: true })).status).toBe(409)
    expect((await keeper.put('/api/crm/clients/0', { retired: true })).status).toBe(409)
  })
})

describe('the list of sessions', () => {
  const list = (token: string) => portal.bearing(token).get(SESSIONS)

  test("the list of sessions shows the user's own, marks the current one and contains no secrets", async () => {
    const p = await person()
    const desk = await browser(p, { ...PAGE, 'user-agent': 'Desk' })
    await browser(p, { ...PAGE, 'user-agent': 'Phone' })
    await browser(await person())
    const { body, text } = await list(desk.token)
    expect(body['hydra:totalItems']).toBe(2)
    const seen = body['hydra:member'].map((s: Record<string, unknown>) => [s.agent, s.current, s.address])
    expect(new Set(seen.map(String))).toEqual(new Set(['Desk,true,127.0.0.1', 'Phone,false,127.0.0.1']))
    expect(text).not.toContain('hash')
  })

  test('a user can end one of their sessions immediately', async () => {
    const p = await person()
    const [desk, phone] = [await browser(p), await browser(p)]
    expect(await works(phone.token)).toBe(true)
    const { body } = await list(desk.token)
    const other = body['hydra:member'].find((s: { current: boolean }) => !s.current)
    expect((await portal.bearing(desk.token).delete(other['@id'])).status).toBe(204)
    expect([await works(phone.token), await works(desk.token)]).toEqual([false, true])
    expect((await renew(phone.cookie)).status).toBe(401)
    expect((await portal.bearing(desk.token).delete(other['@id'])).status).toBe(404)
  })

  test("a user can't end other users' sessions", async () => {
    const [mine, theirs] = [await browser(await person()), await browser(await person())]
    const { body } = await list(theirs.token)
    const it = body['hydra:member'][0]['@id']
    expect((await portal.bearing(mine.token).delete(it)).status).toBe(404)
    expect(await works(theirs.token)).toBe(true)
    for (const id of ['abc', '0', '-1', '99999999999999999999', '%00'])
      expect((await portal.bearing(mine.token).delete(`${SESSIONS}/${id}`)).status).toBe(404)
  })
})

test("users of a reseller and its clients see the reseller's brand, and all others see the provider's", async () => {
  const reseller = await portal.client({ isReseller: true })
  const carried = await portal.client({ resellerId: reseller.id })
  const brandOf = async (client: typeof reseller) =>
    (await client.as(await client.user()).get(CHECK)).body.brand as string
  const own = (await reseller.as(await reseller.user()).get(CHECK)).body.client.company
  expect(own).toBeTruthy()
  expect(await brandOf(reseller)).toBe(own)
  expect(await brandOf(carried)).toBe(own)
  expect(await brandOf(await portal.client())).toBe('Test')
})
