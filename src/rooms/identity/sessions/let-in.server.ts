import { problem } from '#kernel/errors.ts'
import type { Account } from '#server/auth/credentials.ts'
import type { Opened } from '#server/auth/sessions.ts'
import { RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import { cookieHeader, isOwnPage } from './own-page.server.ts'
import { whoIs } from './sign-in.server.ts'

/** Lets somebody in who has proved who they are: a session, its token, and for the portal's own page the cookie that renews it. */
export async function letIn(c: RouteContext, person: Account): Promise<RouteAnswer> {
  const { address, agent } = c.request
  const opened = await c.engine.sessions.open(person, { address, agent, browser: isOwnPage(c) })
  const cookie = opened.cookie ? cookieHeader(c, opened.cookie, c.engine.config.sessionHours * 3600) : {}
  const answer = await signedIn(c, opened, cookie)
  c.engine.security.note('sign-in', await c.engine.sessions.authenticate(opened.token), c.request)
  return answer
}

/** The answer that hands out a token, with the person it speaks for. */
export async function signedIn(
  c: RouteContext,
  opened: Opened,
  headers: Record<string, string> = {},
): Promise<RouteAnswer> {
  const actor = await c.engine.sessions.authenticate(opened.token)
  if (!actor) throw problem.signIn()
  const body = {
    token: opened.token,
    tokenType: 'Bearer',
    expiresIn: opened.expiresIn,
    user: await whoIs(c.engine, actor, await c.engine.sessions.visitOf(opened.token)),
  }
  return new RouteAnswer(200, body, { ...headers, 'cache-control': 'no-store' })
}
