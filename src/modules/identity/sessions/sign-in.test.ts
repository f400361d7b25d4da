import { describe, expect, test } from 'vitest'
import { measureProcessTime } from '#test/support/effort.ts'
import { type TestResponse, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const LOGIN = '/api/security/login'
const PASSWORD = 'harbour tin piano'
let n = 0
/** Returns a username that no other test in this file uses, because attempts are counted per username. */
const fresh = (name = 'user') => `${name}.${++n}`
/** Returns an IP address that no other test in this file uses, because attempts are also counted per address. */
const address = () => `10.1.${Math.floor(++n / 250)}.${n % 250}`

const signIn = (body: Record<string, unknown>, remoteAddress = address(), headers = {}): Promise<TestResponse> =>
  portal.app
    .inject({ method: 'POST', url: LOGIN, payload: body, remoteAddress, headers })
    .then((a) => ({ status: a.statusCode, headers: a.headers as never, text: a.body, body: JSON.parse(a.body) }))

/** Returns the cookie that identifies a known browser. */
const deviceOf = ({ headers }: TestResponse) =>
  /stanchion_device=[\w-]+/.exec(String(headers['set-cookie']))?.[0] as string

const person = async (about: { clientId?: number; username?: string; roles?: string[] } = {}) => {
  const client = await portal.client()
  return client.user({ username: about.username ?? fresh(), password: PASSWORD, roles: about.roles ?? [] })
}
const WRONG =
  'The username and password do not match. Please check both. If several companies use this username, your client number is needed too.'

describe('a correct password', () => {
  test('a correct password returns a token and the user', async () => {
    const p = await person({ roles: ['ROLE_CLIENT_ADMIN'] })
    const { status, body, headers } = await signIn({ username: p.username, password: PASSWORD })
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['set-cookie']).toBeUndefined()
    expect(body).toMatchObject({
      '@id': LOGIN,
      tokenType: 'Bearer',
      expiresIn: 1800,
      user: {
        '@id': p.iri,
        '@type': 'User',
        username: p.username,
        client: { id: p.clientId },
        roles: ['ROLE_CLIENT_ADMIN'],
        team: [],
        packs: { safety: 'active' },
        isStaff: false,
        isImpersonating: false,
        original: null,
      },
    })
    expect((await portal.bearing(body.token).get('/api/security/user_check')).body.id).toBe(p.id)
  })

  test('a username is accepted in any case and with surrounding spaces, but a password only exactly as set', async () => {
    const p = await person()
    expect((await signIn({ username: ` ${p.username.toUpperCase()} `, password: PASSWORD })).status).toBe(200)
    expect((await signIn({ username: p.username, password: `${PASSWORD} ` })).status).toBe(401)
  })

  test('a correct password is accepted even if the User-Agent header contains a NUL byte, which is removed', async () => {
    const p = await person()
    const { statusCode } = await portal.app.inject({
      method: 'POST',
      url: LOGIN,
      payload: { username: p.username, password: PASSWORD },
      headers: { 'user-agent': 'Robot\u0000 1' },
      remoteAddress: address(),
    })
    const agents = await portal.db.tx('system', (tx) => tx.rows('SELECT agent FROM session WHERE user_id = $1', [p.id]))
    expect([statusCode, agents]).toEqual([200, [{ agent: 'Robot 1' }]])
  })

  test('a successful sign-in saves the time of the last sign-in', async () => {
    const p = await person()
    await signIn({ username: p.username, password: PASSWORD })
    const [row] = await portal.db.tx('system', (tx) =>
      tx.rows<{ n: boolean }>(
        `SELECT last_login_at > now() - interval '1 minute' AS n FROM user_account WHERE id = $1`,
        [p.id],
      ),
    )
    expect(row?.n).toBe(true)
  })
})

describe('a wrong password', () => {
  test('a wrong password gets the same response whether or not the account exists', async () => {
    const p = await person()
    const retired = await person()
    await portal.db.tx('system', (tx) =>
      tx.rows('UPDATE user_account SET is_retired = true WHERE id = $1', [retired.id]),
    )
    const withoutPassword = await (await portal.client()).user({ username: fresh() })
    const answers = [
      await signIn({ username: p.username, password: 'wrong tin piano' }),
      await signIn({ username: fresh('nobody'), password: PASSWORD }),
      await signIn({ username: retired.username, password: PASSWORD }),
      await signIn({ username: withoutPassword.username, password: PASSWORD }),
      await signIn({ username: p.username, password: PASSWORD, client: p.clientId + 1 }),
    ]
    for (const { status, body, headers } of answers) {
      expect([status, body.detail]).toEqual([401, WRONG])
      expect(headers['www-authenticate']).toBe('Bearer')
    }
  })

  test('checking a wrong password takes as much work for an unknown account as for an existing one', async () => {
    const p = await person()
    const workFor = (username: string) => measureProcessTime(() => signIn({ username, password: 'wrong tin piano' }))
    const known = await workFor(p.username)
    // If no password were hashed, the response would take only a twentieth of the processor time.
    expect(await workFor(fresh('nobody'))).toBeGreaterThan(known / 4)
  })

  test('a sign-in without a username or password returns a list of the missing fields', async () => {
    const { status, body } = await signIn({ username: '', password: '' })
    expect(status).toBe(422)
    expect(body.violations.map((v: { propertyPath: string }) => v.propertyPath)).toEqual(['username', 'password'])
  })

  test.each([
    ['a zero byte in the username', { username: 'a\u0000b', password: 'x' }, 401],
    ['an unpaired surrogate in the username', { username: '\ud800', password: '\ud800' }, 401],
    ['SQL', { username: `' OR 1=1 --`, password: `' OR 1=1 --` }, 401],
    ['a very long username', { username: 'x'.repeat(100_000), password: 'x' }, 401],
    ['a username with characters that no username may contain', { username: 'admİn.brick', password: 'x' }, 401],
    ['a username that is an object', { username: { a: 1 }, password: 'x' }, 422],
    ['a client number that is too large', { username: 'a', password: 'x', client: 99_999_999_999 }, 422],
    ['a client number that is not a number', { username: 'a', password: 'x', client: 'Acme' }, 422],
    ['a negative client number', { username: 'a', password: 'x', client: -1 }, 422],
  ])('a sign-in with %s is refused', async (_, body, expected) => {
    expect((await signIn(body)).status).toBe(expected)
  })
})

describe('the same username in two clients', () => {
  const namesakes = async (second = PASSWORD) => {
    const username = fresh()
    const [one, two] = [await portal.client(), await portal.client()]
    const a = await one.user({ username, password: PASSWORD })
    return { username, a, b: await two.user({ username, password: second }), two }
  }

  test("a username that exists in two clients requires the client number, and only that client's password is checked", async () => {
    const { username, a, b, two } = await namesakes('kettle moss ladder')
    expect((await signIn({ username, password: PASSWORD, client: a.clientId })).body.user.id).toBe(a.id)
    for (const client of [two.id, `00${two.id}`, two.iri])
      expect((await signIn({ username, password: 'kettle moss ladder', client })).body.user.id).toBe(b.id)
    expect((await signIn({ username, password: PASSWORD, client: two.id })).status).toBe(401)
  })

  test('without a client number, a username that exists in two clients gets the same response whatever the password', async () => {
    const { username } = await namesakes('kettle moss ladder')
    const same = await namesakes()
    for (const [name, password] of [
      [username, PASSWORD],
      [username, 'kettle moss ladder'],
      [username, 'wrong tin piano'],
      [same.username, PASSWORD],
      [same.username, 'wrong tin piano'],
    ]) {
      const { status, body } = await signIn({ username: name, password })
      expect([status, body.detail]).toEqual([401, WRONG])
    }
  })

  test('a username that exists in two clients identifies the user who has signed in with the same browser before', async () => {
    const { username, b } = await namesakes()
    const page = { 'x-requested-with': 'portal' }
    const first = await signIn({ username, password: PASSWORD, client: b.clientId }, address(), page)
    const cookie = deviceOf(first)
    const again = await signIn({ username, password: PASSWORD }, address(), { ...page, cookie })
    expect([again.status, again.body.user?.id]).toEqual([200, b.id])
    expect((await signIn({ username, password: 'wrong tin piano' }, address(), { ...page, cookie })).status).toBe(401)
  })
})

describe('a published demo password', () => {
  const demo = async () => {
    const p = await person()
    await portal.db.tx('system', (tx) => tx.rows('UPDATE credential SET demo = true WHERE user_id = $1', [p.id]))
    return { username: p.username, password: PASSWORD }
  }

  test('a published demo password works only on the machine that runs the portal', async () => {
    const body = await demo()
    for (const local of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect((await signIn(body, local)).status).toBe(200)
    const { status, body: refused } = await signIn(body, '203.0.113.5')
    expect([status, refused.detail]).toEqual([403, 'The demo passwords work only on the machine that runs the portal.'])
  })

  test('a published demo password works from other machines if a setting allows it', async () => {
    const open = await portal.with({ DEMO_ANYWHERE: 'true' })
    const body = await demo()
    const answer = await open.app.inject({ method: 'POST', url: LOGIN, payload: body, remoteAddress: '203.0.113.5' })
    expect(answer.statusCode).toBe(200)
  })

  test('published demo passwords are shown to everybody, other passwords to nobody', async () => {
    const { username } = await demo()
    const other = await person()
    await portal.db.tx('system', (tx) =>
      tx.rows(
        'UPDATE credential SET demo = false WHERE user_id NOT IN (SELECT id FROM user_account WHERE username = $1)',
        [username],
      ),
    )
    const { body, text } = await portal.anonymous.get('/api/portal/public')
    expect(body.demo.map((d: { username: string }) => d.username)).toEqual([username])
    expect(text).not.toContain(other.username)
  })
})
