import { problem } from '#kernel/errors.ts'
import type { Account } from '#server/auth/credentials.ts'
import { rememberDevice } from '#server/auth/devices.ts'
import type { ProofMethod } from '#server/auth/proof.ts'
import { createSecret } from '#server/auth/secret.ts'
import type { OpenedSession } from '#server/auth/sessions.ts'
import type { Tx } from '#server/db/db.ts'
import { RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import { deviceCookie, deviceSecretOf, isOwnPage, sessionCookie, sessionSecretOf } from './own-page.server.ts'
import { describeUser } from './who-is.server.ts'

/** Opens a session for a verified user, in the verifying transaction. */
export const openVerifiedSession = (
  c: RouteContext,
  tx: Tx,
  person: Account,
  provedBy: ProofMethod,
): Promise<OpenedSession> => {
  const { address, agent } = c.request
  return c.engine.sessions.open(person, { address, agent, browser: isOwnPage(c), provedBy }, tx)
}

/** Signs in a user with an open session: returns the token and, for the portal's own page, the renewal cookie. */
export async function signInWithSession(c: RouteContext, person: Account, opened: OpenedSession): Promise<RouteAnswer> {
  const former = isOwnPage(c) ? sessionSecretOf(c) : undefined
  if (former) await c.engine.sessions.closeByCookie(former)
  const answer = await signedInResponse(c, opened, opened.cookie ? await cookiesOf(c, person, opened.cookie) : {})
  c.engine.security.note('sign-in', await c.engine.sessions.authenticate(opened.token), c.request)
  return answer
}

/** Cookies of a signed-in browser: one renews the session, the other identifies the browser next time. */
async function cookiesOf(c: RouteContext, person: Account, session: string): Promise<RouteAnswer['headers']> {
  const device = deviceSecretOf(c) ?? createSecret()
  await c.engine.db.tx('system', (tx) => rememberDevice(tx, person, device))
  return { 'set-cookie': [sessionCookie(c, session), deviceCookie(c, device)] }
}

/** Response that returns a token with its user. */
export async function signedInResponse(
  c: RouteContext,
  opened: OpenedSession,
  headers: RouteAnswer['headers'] = {},
): Promise<RouteAnswer> {
  const actor = await c.engine.sessions.authenticate(opened.token)
  if (!actor) throw problem.signIn()
  const body = {
    token: opened.token,
    tokenType: 'Bearer',
    expiresIn: opened.expiresIn,
    user: await describeUser(c.engine, actor, await c.engine.sessions.visitOf(opened.token)),
  }
  return new RouteAnswer(200, body, { ...headers, 'cache-control': 'no-store' })
}
