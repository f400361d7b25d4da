import { codeOf } from './authenticators.ts'
import { type Answer, type Api, type TestPortal, type TestUser, testPortal } from './portal.ts'

// What the tests of the second factor begin with: portals with a name and a key, and people with and without a factor.

export const base = await testPortal()
export const ORIGIN = 'https://portal.example'
export const portal = await base.with({ PUBLIC_URL: ORIGIN })
export const strict = await base.with({ PUBLIC_URL: ORIGIN, SECOND_FACTOR: 'provider' })
export const LOGIN = '/api/security/login'
export const STEP = `${LOGIN}/second_factor`
export const MINE = '/api/security/second_factor'
export const PASSWORD = 'harbour tin piano'
let n = 0

export const person = async (about: { clientId?: 0; roles?: string[]; email?: string } = {}) => {
  const client = about.clientId === 0 ? base.provider : await base.client()
  return client.user({ username: `factor.${++n}`, password: PASSWORD, ...about })
}
export const login = (p: TestUser, on: TestPortal = portal) =>
  on.anonymous.post(LOGIN, { username: p.username, password: PASSWORD, client: p.clientId })
export const signedIn = async (p: TestUser, on: TestPortal = portal): Promise<Api> =>
  on.bearing((await login(p, on)).body.token)
/** Lets a code that was used be used again, so that a test need not wait for the next half minute. */
export const anotherHalfMinute = (p: TestUser) =>
  base.db.tx('system', (tx) => tx.rows('UPDATE totp SET step = 0 WHERE user_id = $1', [p.id]))
/** Ten minutes since anybody proved who they are. */
export const tenMinutesLater = async (p: TestUser) => {
  await base.db.tx('system', (tx) =>
    tx.rows(`UPDATE session SET proved_at = now() - interval '11 minutes' WHERE user_id = $1`, [p.id]),
  )
  for (const one of [portal, strict]) one.sessions.forget()
}

export const setUpApp = async (api: Api) => {
  const begun = await api.post(`${MINE}/app`)
  const { status, body } = await api.post(`${MINE}/app/confirm`, {
    enrolment: begun.body.enrolment,
    code: codeOf(begun.body.secret),
  })
  return { status, secret: begun.body.secret as string, codes: body.recoveryCodes as string[] }
}
/** Somebody with an app, signed in by it. */
export const withApp = async (about: Parameters<typeof person>[0] = {}) => withAppOf(await person(about))

export const withAppOf = async (p: TestUser) => {
  const api = await signedIn(p)
  const { secret, codes } = await setUpApp(api)
  await anotherHalfMinute(p)
  return { p, api, secret, codes }
}
export const problemOf = ({ status, body }: Answer) => [status, body.violations?.[0]?.propertyPath ?? body.code]
