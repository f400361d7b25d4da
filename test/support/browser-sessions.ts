import { type TestResponse, type TestUser, testPortal } from './portal.ts'

// Sessions of a browser: the page holds the token, the browser holds the cookie. The portal is not stored here, because
// the test files of a worker share this module but not the database.

const CHECK = '/api/security/user_check'
export const PASSWORD = 'harbour tin piano'
export const PAGE = { 'x-requested-with': 'portal' }
export const sql = async <T>(text: string, values: readonly unknown[] = []) =>
  (await testPortal()).db.tx('system', (tx) => tx.rows<T>(text, values))

export const person = async () => (await (await testPortal()).client()).user({ password: PASSWORD })
/** Signs in as a browser's page does. Returns the token and the cookie. */
export async function browser(p: TestUser, headers: Record<string, string> = PAGE) {
  const body = { username: p.username, password: PASSWORD, client: p.clientId }
  const answer = await (await testPortal()).anonymous.post('/api/security/login', body, headers)
  const set = setBy(answer)
  return { token: answer.body.token as string, set, cookie: set?.split(';')[0] ?? '' }
}
/** Returns the session cookie set by a response, with its attributes. */
export const setBy = ({ headers }: TestResponse) =>
  [headers['set-cookie'] ?? []].flat().find((one) => /^(__Secure-)?stanchion_session=/.test(one))
/** Returns the cookie with which to renew the session after a response. */
export const nextOf = (answer: TestResponse) => setBy(answer)?.split(';')[0] ?? ''
export const renew = async (cookie: string, headers: Record<string, string> = PAGE) =>
  (await testPortal()).anonymous.post('/api/security/renew', {}, { cookie, ...headers })
export const works = async (token: string) => (await (await testPortal()).bearing(token).get(CHECK)).status === 200
/** Makes a session and its tokens older, and clears the process's cache. */
export async function later(userId: number, minutes: number) {
  await sql(
    `UPDATE access_token SET expires_at = expires_at - make_interval(mins => $2), as_until = as_until - make_interval(mins => $2) WHERE session_id IN (SELECT id FROM session WHERE user_id = $1)`,
    [userId, minutes],
  )
  await sql(
    `UPDATE session SET seen_at = seen_at - make_interval(mins => $2), ends_at = ends_at - make_interval(mins => $2), expires_at = expires_at - make_interval(mins => $2), as_until = as_until - make_interval(mins => $2) WHERE user_id = $1`,
    [userId, minutes],
  )
  await sql(
    `UPDATE session_secret SET used_at = used_at - make_interval(mins => $2) WHERE session_id IN (SELECT id FROM session WHERE user_id = $1)`,
    [userId, minutes],
  )
  const { sessions } = await testPortal()
  sessions.forget()
}
