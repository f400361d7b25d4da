import { totpCode } from './authenticators.ts'
import { type TestApi, type TestPortal, type TestResponse, type TestUser, testPortal } from './portal.ts'

export const PORTAL_ORIGIN = 'https://portal.example'
export const LOGIN_URL = '/api/security/login'
export const SECOND_FACTOR_LOGIN_URL = `${LOGIN_URL}/second_factor`
export const OWN_SECOND_FACTOR_URL = '/api/security/second_factor'
export const SECOND_FACTOR_TEST_PASSWORD = 'harbour tin piano'
let n = 0

export const problemOf = ({ status, body }: TestResponse) => [status, body.violations?.[0]?.propertyPath ?? body.code]

/**
 * Makes two portals with a public URL, one of which requires a second factor from provider staff. Also returns
 * functions that create users with and without a second factor.
 */
export async function makeSecondFactorPortals() {
  const base = await testPortal()
  const portal = await base.with({ PUBLIC_URL: PORTAL_ORIGIN })
  const strict = await base.with({ PUBLIC_URL: PORTAL_ORIGIN, SECOND_FACTOR: 'provider' })

  const person = async (about: { clientId?: 0; roles?: string[]; email?: string } = {}) => {
    const client = about.clientId === 0 ? base.provider : await base.client()
    return client.user({ username: `factor.${++n}`, password: SECOND_FACTOR_TEST_PASSWORD, ...about })
  }
  const login = (p: TestUser, on: TestPortal = portal) =>
    on.anonymous.post(LOGIN_URL, { username: p.username, password: SECOND_FACTOR_TEST_PASSWORD, client: p.clientId })
  const signedIn = async (p: TestUser, on: TestPortal = portal): Promise<TestApi> =>
    on.bearing((await login(p, on)).body.token)
  /** Makes a used code valid again, so that a test does not have to wait for the next half minute. */
  const anotherHalfMinute = (p: TestUser) =>
    base.db.tx('system', (tx) => tx.rows('UPDATE totp SET step = 0 WHERE user_id = $1', [p.id]))
  /** Moves a user's last proof of identity back by more than ten minutes. */
  const tenMinutesLater = async (p: TestUser) => {
    await base.db.tx('system', (tx) =>
      tx.rows(`UPDATE session SET proved_at = now() - interval '11 minutes' WHERE user_id = $1`, [p.id]),
    )
    for (const one of [portal, strict]) one.sessions.forget()
  }
  const setUpApp = async (api: TestApi) => {
    const enrolled = await api.post(`${OWN_SECOND_FACTOR_URL}/app`)
    const { status, body } = await api.post(`${OWN_SECOND_FACTOR_URL}/app/confirm`, {
      enrolment: enrolled.body.enrolment,
      code: totpCode(enrolled.body.secret),
    })
    return { status, secret: enrolled.body.secret as string, codes: body.recoveryCodes as string[] }
  }
  const withAppOf = async (p: TestUser) => {
    const api = await signedIn(p)
    const { secret, codes } = await setUpApp(api)
    await anotherHalfMinute(p)
    return { p, api, secret, codes }
  }
  const withApp = async (about: Parameters<typeof person>[0] = {}) => withAppOf(await person(about))

  return {
    base,
    portal,
    strict,
    person,
    login,
    signedIn,
    anotherHalfMinute,
    tenMinutesLater,
    setUpApp,
    withAppOf,
    withApp,
  }
}
