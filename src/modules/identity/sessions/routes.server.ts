import { problem, violation } from '#kernel/errors.ts'
import { text } from '#kernel/fields.ts'
import { parseId } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { normaliseEmail } from '#kernel/validate.ts'
import { client } from '#modules/portal/clients/client.ts'
import { DEVICE_RETENTION_DAYS } from '#server/auth/credentials.ts'
import { requireAccessProof } from '#server/auth/proof.ts'
import { notImpersonatingProblem } from '#server/auth/sessions.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { schedule } from '#server/engine/schedule.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { impersonationPeriod } from '../impersonations/impersonation.ts'
import { user } from '../people/user.ts'
import { completeFirstSignInStep } from '../second-factor/prove.server.ts'
import { ownSecondFactorRoutes } from './own-factor-routes.server.ts'
import {
  describeUser,
  expiredSessionCookie,
  isPortalPageRequest,
  openVerifiedSession,
  parseClientNumber,
  readDeviceSecret,
  readSessionSecret,
  secondStepRoutes,
  sessionCookie,
  signedInResponse,
  signIn,
  signInWithSession,
  textOrEmpty,
} from './second-step-routes.server.ts'

/**
 * Route that returns the owner and expiry of the request's own token, but never the token itself. The specification
 * requires this request on each page change. Throws 404 for another user's ID.
 */
const userTokenRoute: Route = {
  method: 'GET',
  path: '/api/portal/user_tokens/{id}',
  title: 'Get the owner and idle expiry of the caller’s own token, but never the token itself',
  allow: 'member',
  whileReadOnly: true,
  handle: async (c) => {
    const { me, engine } = c
    if ((await engine.idOf(user, me, c.params.id)) !== me.userId) throw problem.notFound()
    const session = (await engine.sessions.list(c.request.token ?? '')).find((one) => one.current)
    return {
      '@type': 'UserToken',
      id: me.userId,
      user: iriOf(user, me.userId),
      client: iriOf(client, me.clientId),
      tokenType: 'Bearer',
      lastsMinutes: engine.config.tokenMinutes,
      createdAt: session?.createdAt ?? null,
      isImpersonating: !!me.original,
    }
  },
}

/**
 * Deletes expired sessions, tokens and second-factor tickets, and old attempts, known browsers, password links, outbox
 * entries and responses stored for idempotent requests.
 */
const identityCleanupSchedule = schedule({
  name: 'identity.tidy',
  every: { minutes: 60 },
  run: (engine) =>
    engine.db.tx('system', async (tx) => {
      await tx.rows('DELETE FROM access_token WHERE expires_at < now()')
      await tx.rows('DELETE FROM session WHERE expires_at < now()')
      await tx.rows('DELETE FROM factor_ticket WHERE expires_at < now()')
      await tx.rows('DELETE FROM attempt WHERE since + lasts < now()')
      await tx.rows('DELETE FROM known_device WHERE used_at < now() - make_interval(days => $1)', [
        DEVICE_RETENTION_DAYS,
      ])
      await tx.rows("DELETE FROM password_reset WHERE expires_at < now() - interval '1 day'")
      await tx.rows("DELETE FROM idempotency WHERE created_at < now() - interval '1 day'")
      // Deletes password reset requests older than a day, which are no longer needed.
      await tx.rows("DELETE FROM outbox WHERE kind = 'password.forgotten' AND relayed_at < now() - interval '1 day'")
      await tx.rows("DELETE FROM outbox WHERE relayed_at < now() - interval '30 days'")
    }),
})

const token = (c: RouteContext) => c.request.token ?? ''

/** Routes for sign-in, session renewal by cookie, session management and impersonation. */
const sessionRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/security/login',
    title: 'Sign in',
    allow: 'anonymous',
    takesOwnTurns: true,
    whileImpersonating: true,
    secret: true,
    duringMaintenance: true,
    handle: async (c) => {
      const wrong = (['username', 'password'] as const).filter((k) => textOrEmpty(c.body[k]) === '')
      if (wrong.length) throw problem.invalid(wrong.map((k) => violation(k, 'Field required, please enter text')))
      const client = parseClientNumber(c.body.client)
      if (Number.isNaN(client)) throw problem.invalid([violation('client', 'The client must be a number')])
      const person = await signIn(
        c.engine,
        {
          username: normaliseEmail(textOrEmpty(c.body.username)),
          password: textOrEmpty(c.body.password),
          ...(client === undefined ? {} : { client }),
        },
        c.request,
        readDeviceSecret(c),
      )
      const opened = await completeFirstSignInStep(c.engine, person, (tx) =>
        openVerifiedSession(c, tx, person, 'password'),
      )
      return signInWithSession(c, person, opened)
    },
  },
  {
    method: 'POST',
    path: '/api/security/renew',
    title: 'Renew the access token of a browser',
    allow: 'anonymous',
    whileImpersonating: true,
    secret: true,
    duringMaintenance: true,
    handle: async (c) => {
      const held = readSessionSecret(c)
      if (!held || !isPortalPageRequest(c)) throw problem.signIn('Expired Session', 'session_ended')
      const renewed = await c.engine.sessions.renew(held)
      if (!renewed) throw problem.signIn('Expired Session', 'session_ended')
      return signedInResponse(c, renewed, renewed.cookie ? { 'set-cookie': sessionCookie(c, renewed.cookie) } : {})
    },
  },
  {
    method: 'POST',
    path: '/api/security/logout',
    title: 'Sign out',
    allow: 'anonymous',
    whileImpersonating: true,
    duringMaintenance: true,
    handle: async (c) => {
      if (c.actor) c.engine.security.note('sign-out', c.actor, c.request)
      if (c.request.token) await c.engine.sessions.close(c.request.token)
      const held = readSessionSecret(c)
      // Ignores requests from another site's pages, so that no other site can sign anybody out.
      if (!isPortalPageRequest(c)) return new RouteResponse(204)
      if (held) await c.engine.sessions.closeByCookie(held)
      return new RouteResponse(204, undefined, { 'set-cookie': expiredSessionCookie(c) })
    },
  },
  {
    method: 'GET',
    path: '/api/security/user_check',
    title: 'Get the signed-in user',
    allow: 'member',
    duringMaintenance: true,
    handle: async (c) => describeUser(c.engine, c.me, await c.engine.sessions.visitOf(token(c))),
  },
  {
    method: 'GET',
    path: '/api/security/user/switch',
    writesOnGet: true,
    title: 'Work as a user of a client',
    query: {
      username: text({ required: true, help: 'Username of the user to work as.' }),
      client: text({ required: true, help: 'Client ID of the user.' }),
      reason: text({ help: 'Reason, which the client can read.' }),
    },
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      if (c.me.clientId !== PROVIDER_CLIENT_ID || c.me.original) throw problem.forbidden()
      requireAccessProof(c.me)
      const reason = textOrEmpty(c.query.reason).trim()
      const username = textOrEmpty(c.query.username).trim()
      const clientId = parseClientNumber(textOrEmpty(c.query.client)) ?? Number.NaN
      const wrong = [
        ...(username ? [] : [violation('username', 'Field required, please enter text')]),
        ...(Number.isNaN(clientId) ? [violation('client', 'The client must be a number')] : []),
        ...(reason || !c.engine.config.visitNeedsReason
          ? []
          : [violation('reason', 'Please enter a reason; the client can read it')]),
      ]
      if (wrong.length) throw problem.invalid(wrong)
      const opened = await c.engine.sessions.visit(token(c), { username, clientId }, reason.slice(0, 500))
      c.engine.security.note('switch', { clientId, username, original: c.me }, c.request, reason)
      return signedInResponse(c, opened)
    },
  },
  {
    method: 'POST',
    path: '/api/security/user/write',
    title: 'Allow changes while working as somebody else: returns a new token',
    allow: 'member',
    secret: true,
    whileReadOnly: true,
    handle: async (c) => {
      if (!c.me.original) throw notImpersonatingProblem()
      const reason = textOrEmpty(c.body.reason).trim().slice(0, 500)
      if (!reason) throw problem.invalid([violation('reason', 'Please enter a reason; the client can read it')])
      const opened = await c.engine.sessions.allowWrites(token(c), reason)
      c.engine.security.note('switch', c.me, c.request, `changes allowed: ${reason}`)
      return signedInResponse(c, opened)
    },
  },
  {
    method: 'GET',
    path: '/api/security/user/unswitch',
    writesOnGet: true,
    title: 'Stop working as somebody else',
    allow: 'member',
    whileReadOnly: true,
    duringMaintenance: true,
    handle: async (c) => {
      const opened = await c.engine.sessions.leave(token(c))
      c.engine.security.note('switch-back', c.me, c.request)
      return signedInResponse(c, opened)
    },
  },
  {
    method: 'GET',
    path: '/api/security/sessions',
    title: 'List my sessions',
    listOf: 'objects',
    allow: 'member',
    handle: async (c) => {
      const all = await c.engine.sessions.list(token(c))
      return hydraCollection(all.map((s) => ({ '@id': `/api/security/sessions/${s.id}`, '@type': 'Session', ...s })))
    },
  },
  {
    method: 'DELETE',
    path: '/api/security/sessions/{id}',
    title: 'End one of my sessions',
    allow: 'member',
    whileReadOnly: true,
    handle: async (c) => {
      if (!(await c.engine.sessions.revokeOwn(token(c), parseId(c.params.id) ?? 0))) throw problem.notFound()
      return new RouteResponse(204)
    },
  },
]

export const sessions = feature({
  resources: [impersonationPeriod],
  routes: [...sessionRoutes, userTokenRoute, ...secondStepRoutes, ...ownSecondFactorRoutes],
  schedules: [identityCleanupSchedule],
})
