import { describe, expect, test } from 'vitest'
import { makeSoftwarePasskey, totpCode } from '#test/support/authenticators.ts'
import {
  LOGIN_URL,
  makeSecondFactorPortals,
  OWN_SECOND_FACTOR_URL,
  PORTAL_ORIGIN,
  SECOND_FACTOR_LOGIN_URL,
  SECOND_FACTOR_TEST_PASSWORD,
} from '#test/support/factors.ts'
import type { TestResponse, TestUser } from '#test/support/portal.ts'

const { anotherHalfMinute, base, person, portal, setUpApp, signedIn, withApp } = await makeSecondFactorPortals()

const PAGE = { 'x-requested-with': 'portal' }
let n = 0
/** Returns an IP address that no other test in this file uses. */
const address = () => `10.9.${Math.floor(++n / 250)}.${n % 250}`

interface From {
  readonly from?: string
  readonly cookie?: string
}
const post = async (url: string, body: object, { from = address(), cookie }: From = {}) => {
  const answer = await portal.app.inject({
    method: 'POST',
    url,
    payload: body,
    remoteAddress: from,
    headers: cookie === undefined ? {} : { ...PAGE, cookie },
  })
  return { status: answer.statusCode, headers: answer.headers as TestResponse['headers'], body: answer.json() }
}
const signIn = (p: TestUser, from?: From) =>
  post(LOGIN_URL, { username: p.username, password: SECOND_FACTOR_TEST_PASSWORD, client: p.clientId }, from)
const ticketOf = async (p: TestUser, from?: From): Promise<string> => (await signIn(p, from)).body.secondFactor.ticket
const cookieOf = (answer: Pick<TestResponse, 'headers'>) =>
  /(?:__Secure-)?stanchion_device=[\w-]+/.exec(String(answer.headers['set-cookie']))?.[0] as string
/** Returns codes that the authenticator app does not currently accept. */
const wrongCodes = (secret: string, many: number) => {
  const right = [-1, 0, 1].map((off) => totpCode(secret, off))
  return Array.from({ length: many + 3 }, (_, i) => String(100_000 + i))
    .filter((code) => !right.includes(code))
    .slice(0, many)
}
/** Inserts counted attempts directly into the database. */
const haveTried = (key: string, tries: number, lasts = '1 day') =>
  base.db.tx('system', (tx) =>
    tx.rows(
      "INSERT INTO attempt (key, tries, since, lasts, at) VALUES ($1, $2, now() - interval '5 minutes', $3::interval, now() - interval '2 minutes') ON CONFLICT (key) DO UPDATE SET tries = EXCLUDED.tries",
      [key, tries, lasts],
    ),
  )
/**
 * Creates a user with an authenticator app who has already signed in once. Returns the user, the API client, the app's
 * secret, the recovery codes and the browser's cookie.
 */
async function world() {
  const { p, api, secret, codes } = await withApp()
  const own = { cookie: 'none=1' }
  const first = await post(SECOND_FACTOR_LOGIN_URL, { ticket: await ticketOf(p, own), code: totpCode(secret) }, own)
  expect(first.status).toBe(200)
  await anotherHalfMinute(p)
  return { p, api, secret, codes, cookie: cookieOf(first) }
}
/** Guesses nine codes from a new IP address, with the right password. Expects eight wrong answers, then 429. */
async function guess(p: TestUser, secret: string) {
  const from = address()
  const ticket = await ticketOf(p, { from })
  const answers: number[] = []
  for (const code of wrongCodes(secret, 9))
    answers.push((await post(SECOND_FACTOR_LOGIN_URL, { ticket, code }, { from })).status)
  expect(answers).toEqual([...Array(8).fill(422), 429])
}

describe('an attacker who knows the password and guesses codes', () => {
  test("an attacker who guesses codes doesn't lock out known browsers, existing sessions or other IP addresses", async () => {
    const { p, api, secret, cookie } = await world()
    await guess(p, secret)
    const known = await post(
      SECOND_FACTOR_LOGIN_URL,
      { ticket: await ticketOf(p, { cookie }), code: totpCode(secret) },
      { cookie },
    )
    expect(known.status).toBe(200)
    await anotherHalfMinute(p)
    expect((await api.post('/api/security/proof', { code: totpCode(secret) })).status).toBe(200)
    await anotherHalfMinute(p)
    expect((await post(SECOND_FACTOR_LOGIN_URL, { ticket: await ticketOf(p), code: totpCode(secret) })).status).toBe(
      200,
    )
  })

  test('an attacker has at most forty code attempts a day from all IP addresses, and recovery codes still work afterwards', async () => {
    const { p, api, secret, codes, cookie } = await world()
    await haveTried(`factor:${p.clientId}/${p.id}`, 40)
    expect((await post(SECOND_FACTOR_LOGIN_URL, { ticket: await ticketOf(p), code: totpCode(secret) })).status).toBe(
      429,
    )
    expect((await post(SECOND_FACTOR_LOGIN_URL, { ticket: await ticketOf(p), recoveryCode: codes[0] })).status).toBe(
      200,
    )
    const known = await post(
      SECOND_FACTOR_LOGIN_URL,
      { ticket: await ticketOf(p, { cookie }), code: totpCode(secret) },
      { cookie },
    )
    expect(known.status).toBe(200)
    await anotherHalfMinute(p)
    expect((await api.post('/api/security/proof', { code: totpCode(secret) })).status).toBe(200)
  })

  test("an attacker who guesses codes doesn't block sign-in by passkey", async () => {
    const { p, api, secret } = await world()
    const key = makeSoftwarePasskey(PORTAL_ORIGIN)
    const { options: made } = (await api.post(`${OWN_SECOND_FACTOR_URL}/passkeys/options`)).body
    await api.post(`${OWN_SECOND_FACTOR_URL}/passkeys`, { name: '', passkey: key.create(made) })
    await guess(p, secret)
    await haveTried(`factor:${p.clientId}/${p.id} from 10.9.255.1`, 8)
    const from = { from: '10.9.255.1' }
    const ticket = await ticketOf(p, from)
    const { options } = (await post(`${SECOND_FACTOR_LOGIN_URL}/passkey_options`, { ticket }, from)).body
    expect((await post(SECOND_FACTOR_LOGIN_URL, { ticket, passkey: key.get(options) }, from)).status).toBe(200)
  })

  test("using another user's session, or a browser or session older than the second factor, gives an attacker no additional code attempts", async () => {
    const p = await person()
    const before = cookieOf(await signIn(p, { cookie: 'none=1' }))
    const old = await signedIn(p)
    const { secret } = await setUpApp(await signedIn(p))
    await anotherHalfMinute(p)
    await haveTried(`factor:${p.clientId}/${p.id}`, 40)
    const at = { cookie: before }
    expect(
      (await post(SECOND_FACTOR_LOGIN_URL, { ticket: await ticketOf(p, at), code: totpCode(secret) }, at)).status,
    ).toBe(429)
    expect((await old.post('/api/security/proof', { code: totpCode(secret) })).status).toBe(429)
    const other = await withApp()
    const ticket = await ticketOf(p)
    expect((await other.api.post(SECOND_FACTOR_LOGIN_URL, { ticket, code: totpCode(secret) })).status).toBe(429)
  })

  test('a correct code from an unknown browser removes only its own attempt from the count', async () => {
    const { p, secret } = await world()
    const shared = `factor:${p.clientId}/${p.id}`
    await haveTried(shared, 7)
    expect((await post(SECOND_FACTOR_LOGIN_URL, { ticket: await ticketOf(p), code: totpCode(secret) })).status).toBe(
      200,
    )
    const counted = await base.db.tx('system', (tx) =>
      tx.rows('SELECT key, tries FROM attempt WHERE starts_with(key, $1)', [shared]),
    )
    expect(counted).toEqual([{ key: shared, tries: 7 }])
  })
})

test('the browser in which the second factor was set up remains a known browser', async () => {
  const p = await person()
  const first = await signIn(p, { cookie: 'none=1' })
  const cookie = cookieOf(first)
  const headers = { authorization: `Bearer ${first.body.token}`, ...PAGE, cookie }
  const call = async (url: string, payload: object = {}) =>
    (await portal.app.inject({ method: 'POST', url, payload, headers })).json()
  const { enrolment, secret } = await call(`${OWN_SECOND_FACTOR_URL}/app`)
  await call(`${OWN_SECOND_FACTOR_URL}/app/confirm`, { enrolment, code: totpCode(secret) })
  await anotherHalfMinute(p)
  await haveTried(`factor:${p.clientId}/${p.id}`, 40)
  const answer = await post(
    SECOND_FACTOR_LOGIN_URL,
    { ticket: await ticketOf(p, { cookie }), code: totpCode(secret) },
    { cookie },
  )
  expect(answer.status).toBe(200)
})

test('an account remembers only its twenty most recently used browsers', async () => {
  const p = await person()
  const cookies: string[] = []
  for (let i = 0; i < 21; i++) cookies.push(cookieOf(await signIn(p, { cookie: 'none=1' })))
  await haveTried(`sign-in:${p.clientId}.${p.id}`, 100, '15 minutes')
  const statuses = [cookies[0], cookies[1], cookies[20]].map(
    async (cookie = '') => (await signIn(p, { cookie })).status,
  )
  expect(await Promise.all(statuses)).toEqual([429, 200, 200])
})
