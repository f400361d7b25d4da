import { problem } from '#kernel/errors.ts'
import { json, text } from '#kernel/fields.ts'
import { type Actor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { findBrandName } from '#modules/portal/clients/client.server.ts'
import { hostNameOf, isLoopbackHost } from '#server/addresses.ts'
import { verifySignIn } from '#server/auth/check-password.ts'
import type { CheckedAccount } from '#server/auth/credentials.ts'
import {
  type Account,
  DEVICE_RETENTION_DAYS,
  deleteSecondFactorTickets,
  rememberDevice,
} from '#server/auth/credentials.ts'
import type { ImpersonationInfo } from '#server/auth/impersonation.ts'
import type { ProofMethod } from '#server/auth/proof.ts'
import { createSecret } from '#server/auth/secret.ts'
import type { OpenedSession } from '#server/auth/sessions.ts'
import type { Tx } from '#server/db/db.ts'
import type { RequestDetails, Route, RouteContext } from '#server/engine/route.ts'
import { RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Engine } from '#server/engine/types.ts'
import type { SecondFactorTicket, SecondFactorTicketKind } from '#server/second-factor/tickets.ts'
import { isUsername } from '../people/user.server.ts'
import { user } from '../people/user.ts'
import {
  beginAppEnrolment,
  beginPasskeyEnrolment,
  confirmAppEnrolment,
  confirmPasskeyEnrolment,
  type EnrolmentContext,
} from '../second-factor/enrol.server.ts'
import {
  beginPasskeyProof,
  findSignInTicketAccount,
  identityProofFields,
  pickIdentityProof,
  recheckSignInTicket,
  relyingPartyFor,
  verifySecondFactor,
} from '../second-factor/prove.server.ts'

const FORWARDED = /^(forwarded|via|x-forwarded-.*|x-real-ip|x-original-.*|cf-connecting-ip|true-client-ip)$/

/**
 * Returns true if the request comes directly from this machine, is addressed to a loopback host, and has the portal's
 * own origin or no Origin header. The address alone is not sufficient, because a local proxy forwards remote requests
 * from its own address, and another site's page may be open on this machine.
 */
function isLocalRequest({ address, host, headers }: Pick<RequestDetails, 'address' | 'host' | 'headers'>): boolean {
  const { origin } = headers
  return (
    isLoopbackHost(address) &&
    !Object.keys(headers).some((name) => FORWARDED.test(name)) &&
    isLoopbackHost(hostNameOf(host) ?? '') &&
    (origin === undefined || (typeof origin === 'string' && URL.parse(origin)?.host === host))
  )
}

/** Returns the value if it is a string, otherwise an empty string. */
export const textOrEmpty = (v: unknown): string => (typeof v === 'string' ? v : '')

/** Parses `7`, `'007'` or `/api/portal/clients/7`. Returns undefined for a blank value and NaN for an invalid one. */
export const parseClientNumber = (v: unknown): number | undefined => {
  if (v === undefined || v === null || v === '') return undefined
  const n = typeof v === 'string' ? Number(v.replace(/^\/api\/portal\/clients\//, '')) : v
  return typeof n === 'number' && Number.isInteger(n) && n >= 0 && n < 2 ** 31 ? n : Number.NaN
}

/**
 * The same message for every failed sign-in, so that it never reveals whether no account, one account or several
 * accounts exist.
 */
const WRONG =
  'The username and password do not match. Please check both. If several companies use this username, your client number is needed too.'

/** Checks a username and password. Throws 401 if they don't match, and 429 if the attempt is too early. */
export async function signIn(
  engine: Engine,
  given: { username: string; password: string; client?: number },
  from: RequestDetails,
  device: string | undefined,
): Promise<CheckedAccount> {
  const { username, password, client: clientId } = given
  if (!isUsername(username)) throw problem.signIn(WRONG, 'wrong_credentials')
  const { address } = from
  const account = await verifySignIn(engine.db, { username, password, clientId, address, device }, (tried) =>
    engine.security.note('sign-in-failed', tried && { ...tried, username }, from),
  )
  if (!account) throw problem.signIn(WRONG, 'wrong_credentials')
  if (account.demo && !engine.config.demoAnywhere && !isLocalRequest(from))
    throw problem.forbidden('The demo passwords work only on the machine that runs the portal.')
  return { clientId: account.clientId, userId: account.userId, hash: account.hash }
}

/** Returns the signed-in user in the form used in API responses. */
export async function describeUser(
  engine: Engine,
  actor: Actor,
  visit: ImpersonationInfo | undefined,
): Promise<Record<string, unknown>> {
  const [{ email, client }, brand] = await Promise.all([
    engine.one(user, actor, actor.userId),
    findBrandName(engine, actor.clientId),
  ])
  return {
    '@context': '/api/contexts/User',
    '@id': `/api/portal/users/${actor.userId}`,
    '@type': 'User',
    id: actor.userId,
    username: actor.username,
    name: actor.name,
    email: email,
    client: {
      '@id': `/api/portal/clients/${actor.clientId}`,
      '@type': 'Client',
      id: actor.clientId,
      company: client?.company ?? '',
    },
    /** Name of the portal's brand for this user. */
    brand,
    roles: actor.roles,
    scopes: actor.scopes,
    team: actor.team ?? [],
    packs: actor.packs ?? {},
    choices: actor.choices ?? [],
    isStaff: actor.clientId === PROVIDER_CLIENT_ID,
    isImpersonating: !!actor.original,
    original: actor.original
      ? {
          id: actor.original.userId,
          clientId: actor.original.clientId,
          username: actor.original.username,
          name: actor.original.name,
        }
      : null,
    impersonation: visit ?? null,
    /** Maximum file size in bytes. */
    fileLimit: engine.config.fileLimit,
    /** Hours of inactivity after which a session ends. */
    sessionHours: engine.config.sessionHours,
  }
}

/**
 * Returns true if the portal uses https. Cookie names then have a prefix that stops browsers from accepting an insecure
 * cookie of the same name.
 */
const isSecure = (c: RouteContext) => !!c.engine.config.publicUrl?.startsWith('https:')
const nameOf = (c: RouteContext, kind: 'session' | 'device') => `${isSecure(c) ? '__Secure-' : ''}stanchion_${kind}`

/** Returns the browser's session secret, which is sent only to the sign-in URLs. */
export const readSessionSecret = (c: RouteContext): string | undefined => c.request.cookies[nameOf(c, 'session')]

/** Returns the secret that identifies a known browser. */
export const readDeviceSecret = (c: RouteContext): string | undefined => c.request.cookies[nameOf(c, 'device')]

export const sessionCookie = (c: RouteContext, value: string): string =>
  cookie(c, 'session', value, c.engine.config.sessionHours * 3600)

const deviceCookie = (c: RouteContext, value: string): string =>
  cookie(c, 'device', value, DEVICE_RETENTION_DAYS * 86_400)

/** Returns an expired session cookie. The device cookie is not changed, so the browser is still known. */
export const expiredSessionCookie = (c: RouteContext): string => cookie(c, 'session', '', 0)

const cookie = (c: RouteContext, kind: 'session' | 'device', value: string, seconds: number) =>
  `${nameOf(c, kind)}=${value}; Path=/api/security; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure(c) ? '; Secure' : ''}`

/**
 * Returns true if the portal's own page sent the request. Only that page can set the `X-Requested-With` header; a form
 * or image on another site can't.
 */
export function isPortalPageRequest(c: RouteContext): boolean {
  const { headers, host } = c.request
  const origin = headers.origin === undefined ? undefined : URL.parse(textOrEmpty(headers.origin))
  const { publicUrl } = c.engine.config
  return (
    headers['x-requested-with'] === 'portal' &&
    (origin === undefined || origin?.host === host || (!!publicUrl && origin?.origin === URL.parse(publicUrl)?.origin))
  )
}

/** Opens a session for a verified user in the given transaction. */
export const openVerifiedSession = (
  c: RouteContext,
  tx: Tx,
  person: Account,
  provedBy: ProofMethod,
): Promise<OpenedSession> => {
  const { address, agent } = c.request
  return c.engine.sessions.open(person, { address, agent, browser: isPortalPageRequest(c), provedBy }, tx)
}

/**
 * Completes a sign-in whose session has been opened, and closes the browser's previous session. Returns the token and,
 * if the portal's own page sent the request, the session and device cookies.
 */
export async function signInWithSession(
  c: RouteContext,
  person: Account,
  opened: OpenedSession,
): Promise<RouteResponse> {
  const former = isPortalPageRequest(c) ? readSessionSecret(c) : undefined
  if (former) await c.engine.sessions.closeByCookie(former)
  const answer = await signedInResponse(c, opened, opened.cookie ? await cookiesOf(c, person, opened.cookie) : {})
  c.engine.security.note('sign-in', await c.engine.sessions.authenticate(opened.token), c.request)
  return answer
}

/**
 * Returns the cookies for a signed-in browser. One renews the session; the other identifies the browser at the next
 * sign-in.
 */
async function cookiesOf(c: RouteContext, person: Account, session: string): Promise<RouteResponse['headers']> {
  const device = readDeviceSecret(c) ?? createSecret()
  await c.engine.db.tx('system', (tx) => rememberDevice(tx, person, device))
  return { 'set-cookie': [sessionCookie(c, session), deviceCookie(c, device)] }
}

/** Builds the response with a token and its user. */
export async function signedInResponse(
  c: RouteContext,
  opened: OpenedSession,
  headers: RouteResponse['headers'] = {},
): Promise<RouteResponse> {
  const actor = await c.engine.sessions.authenticate(opened.token)
  if (!actor) throw problem.signIn()
  const body = {
    token: opened.token,
    tokenType: 'Bearer',
    expiresIn: opened.expiresIn,
    user: await describeUser(c.engine, actor, await c.engine.sessions.visitOf(opened.token)),
  }
  return new RouteResponse(200, body, { ...headers, 'cache-control': 'no-store' })
}

const AT = '/api/security/login/second_factor'
const ticket = text({ required: true, label: 'Ticket' })
const open = { method: 'POST', allow: 'anonymous', secret: true, whileClosed: true } as const

const holder = (c: RouteContext, ticket: string, kind: SecondFactorTicketKind): Promise<SecondFactorTicket> =>
  c.engine.db.tx('system', (tx) => findSignInTicketAccount(tx, ticket, kind))

/**
 * Sets up a second factor, as authorised by a ticket, for a user who has none, and opens the session in the same
 * transaction. The response also contains the recovery codes.
 */
async function enrolAndLetIn(
  c: RouteContext,
  ticket: string,
  enrol: (account: SecondFactorTicket, along: EnrolmentContext) => Promise<readonly string[]>,
): Promise<RouteResponse> {
  const account = await holder(c, ticket, 'enrol')
  let opened: OpenedSession | undefined
  const recoveryCodes = await enrol(account, {
    from: c.request,
    first: (tx) => recheckSignInTicket(tx, ticket, 'enrol', account),
    last: async (tx) => {
      opened = await openVerifiedSession(c, tx, account, 'factor')
    },
  })
  if (!opened) throw problem.signIn()
  c.engine.sessions.forgetPerson(account)
  const { status, body, headers } = await signInWithSession(c, account, opened)
  return new RouteResponse(status, { ...(body as object), recoveryCodes }, headers)
}

/** Routes for the second step of a sign-in, which the ticket from the first step authorises. */
export const secondStepRoutes: readonly Route[] = [
  routeWithInput(
    { ticket, ...identityProofFields },
    {
      ...open,
      path: AT,
      title: 'Sign in: second step',
      handle: async (c) => {
        const account = await holder(c, c.input.ticket, 'prove')
        const place = { address: c.request.address, device: readDeviceSecret(c) }
        const opened = await verifySecondFactor(
          { ...c, place },
          account,
          pickIdentityProof(c.input),
          relyingPartyFor(c),
          async (tx) => {
            await recheckSignInTicket(tx, c.input.ticket, 'prove', account)
            await deleteSecondFactorTickets(tx, account)
            return openVerifiedSession(c, tx, account, 'factor')
          },
        )
        return signInWithSession(c, account, opened)
      },
    },
  ),
  routeWithInput(
    { ticket },
    {
      ...open,
      path: `${AT}/passkey_options`,
      title: 'Sign in: get the options for using a passkey',
      handle: async (c) => beginPasskeyProof(c.engine, await holder(c, c.input.ticket, 'prove'), relyingPartyFor(c)),
    },
  ),
  routeWithInput(
    { ticket },
    {
      ...open,
      path: `${AT}/app`,
      title: 'First sign-in: get a secret for an authenticator app',
      handle: async (c) => beginAppEnrolment(c.engine, await holder(c, c.input.ticket, 'enrol')),
    },
  ),
  routeWithInput(
    { ticket, enrolment: text({ required: true }), code: text({ required: true }) },
    {
      ...open,
      path: `${AT}/app/confirm`,
      title: 'First sign-in: confirm the app with its first code',
      handle: (c) =>
        enrolAndLetIn(c, c.input.ticket, (account, along) => confirmAppEnrolment(c.engine, account, c.input, along)),
    },
  ),
  routeWithInput(
    { ticket },
    {
      ...open,
      path: `${AT}/passkeys/options`,
      title: 'First sign-in: get the options for creating a passkey',
      handle: async (c) =>
        beginPasskeyEnrolment(c.engine, await holder(c, c.input.ticket, 'enrol'), relyingPartyFor(c)),
    },
  ),
  routeWithInput(
    { ticket, name: text({ default: '', max: 100 }), passkey: json({ required: true }) },
    {
      ...open,
      path: `${AT}/passkeys`,
      title: 'First sign-in: add a passkey',
      handle: (c) =>
        enrolAndLetIn(c, c.input.ticket, (account, along) =>
          confirmPasskeyEnrolment(c.engine, account, c.input, relyingPartyFor(c), along),
        ),
    },
  ),
]
