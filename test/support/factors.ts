import { codeOf } from './authenticators.ts'
import { type Answer, type Api, type TestPortal, type TestUser, testPortal } from './portal.ts'

export const ORIGIN = 'https://portal.example'
export const LOGIN = '/api/security/login'
export const STEP = `${LOGIN}/second_factor`
export const MINE = '/api/security/second_factor'
export const PASSWORD = 'harbour tin piano'
let n = 0

export const problemOf = ({ status, body }: Answer) => [status, body.violations?.[0]?.propertyPath ?? body.code]

/**
 * Portals with an address, one of which requires a second factor of provider staff, and people with and without a
 * factor.
 */
export async function factorPortals() {
  const base = await testPortal()
  const portal = await base.with({ PUBLIC_URL: ORIGIN })
  const strict = await base.with({ PUBLIC_URL: ORIGIN, SECOND_FACTOR: 'provider' })

  const person = async (about: { clientId?: 0; roles?: string[]; email?: string } = {}) => {
    const client = about.clientId === 0 ? base.provider : await base.client()
    return client.user({ username: `factor.${++n}`, password: PASSWORD, ...about })
  }
  const login = (p: TestUser, on: TestPortal = portal) =>
    on.anonymous.post(LOGIN, { username: p.username, password: PASSWORD, client: p.clientId })
  const signedIn = async (p: TestUser, on: TestPortal = portal): Promise<Api> =>
    on.bearing((await login(p, on)).body.token)
  /** Allows a used code again, so that a test need not wait for the next half minute. */
  const anotherHalfMinute = (p: TestUser) =>
    base.db.tx('system', (tx) => tx.rows('UPDATE totp SET step = 0 WHERE user_id = $1', [p.id]))
  /** Moves a person's last proof of identity back by ten minutes. */
  const tenMinutesLater = async (p: TestUser) => {
    await base.db.tx('system', (tx) =>
      tx.rows(`UPDATE session SET proved_at = now() - interval '11 minutes' WHERE user_id = $1`, [p.id]),
    )
    for (const one of [portal, strict]) one.sessions.forget()
  }
  const setUpApp = async (api: Api) => {
    const enrolled = await api.post(`${MINE}/app`)
    const { status, body } = await api.post(`${MINE}/app/confirm`, {
      enrolment: enrolled.body.enrolment,
      code: codeOf(enrolled.body.secret),
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
