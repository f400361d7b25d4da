import { problem, violation } from '#kernel/errors.ts'
import { json, text } from '#kernel/fields.ts'
import { parseId } from '#kernel/iri.ts'
import type { Account } from '#server/auth/credentials.ts'
import { rememberDevice } from '#server/auth/credentials.ts'
import { isSecondFactorRequired, requireRecentProof } from '#server/auth/proof.ts'
import { reloadActor } from '#server/auth/read-actor.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { hasSecondFactor, readSecondFactors, secondFactorMethods } from '#server/second-factor/factors.ts'
import { findPasskeys, renamePasskey } from '#server/second-factor/passkeys.ts'
import {
  beginAppEnrolment,
  beginPasskeyEnrolment,
  confirmAppEnrolment,
  confirmPasskeyEnrolment,
  type EnrolmentContext,
  removeAuthenticatorApp,
  removePasskey,
  renewRecoveryCodes,
} from '../second-factor/enrol.server.ts'
import {
  beginPasskeyProof,
  identityProofFields,
  pickIdentityProof,
  relyingPartyFor,
  verifyIdentityByPassword,
  verifySecondFactor,
} from '../second-factor/prove.server.ts'
import { readDeviceSecret, signedInResponse } from './second-step-routes.server.ts'

const AT = '/api/security/second_factor'
const mine = { allow: 'member', secret: true } as const
/**
 * Route options for proving the identity of the real user. Such routes are allowed during a read-only impersonation,
 * because they change nothing that belongs to the impersonated user.
 */
const proves = { ...mine, whileReadOnly: true } as const

/** Returns the account of the real user, who may be impersonating somebody. */
const accountOf = ({ me }: RouteContext): Account & { readonly username: string } => me.original ?? me

/** Returns the user's own account. Throws if identity was not proved recently. */
function ownAccount(c: RouteContext): Account {
  requireRecentProof(c.me)
  return c.me
}

const passkeyId = (c: RouteContext) => parseId(c.params.id) ?? 0

/**
 * Returns an enrolment context that checks the session again in the transaction, because the session may have ended or
 * its proof may be too old.
 */
const along = (c: RouteContext, last: EnrolmentContext['last'] = async () => {}): EnrolmentContext => ({
  from: c.request,
  first: async (tx) => requireRecentProof(await reloadActor(tx, c.engine.config, c.me)),
  last,
})

/**
 * Returns an enrolment context for adding a second factor. Setting up the second factor proves the user's identity and
 * makes the browser a known one.
 */
const alongAdding = (c: RouteContext) =>
  along(c, async (tx) => {
    await c.engine.sessions.markProved(tx, c.me, 'factor')
    const device = readDeviceSecret(c)
    if (device) await rememberDevice(tx, c.me, device)
  })

/** Routes for users to read, set up and remove their own second factor, and to prove their identity again. */
export const ownSecondFactorRoutes: readonly Route[] = [
  {
    ...mine,
    method: 'GET',
    path: AT,
    title: 'Get my second factors',
    handle: async (c) => {
      const account = accountOf(c)
      const factors = await c.engine.db.tx('system', (tx) => readSecondFactors(tx, account))
      return {
        ...factors,
        methods: hasSecondFactor(factors) ? secondFactorMethods(factors) : ['password'],
        compulsory: isSecondFactorRequired(c.engine.config, account.clientId),
        passkeysPossible: relyingPartyFor(c) !== undefined,
      }
    },
  },
  {
    ...mine,
    method: 'POST',
    path: `${AT}/app`,
    title: 'Get a secret for an authenticator app',
    handle: (c) => beginAppEnrolment(c.engine, ownAccount(c)),
  },
  routeWithInput(
    { enrolment: text({ required: true }), code: text({ required: true }) },
    {
      ...mine,
      method: 'POST',
      path: `${AT}/app/confirm`,
      title: 'Set up an authenticator app with its first code',
      handle: async (c) =>
        changed(c, { recoveryCodes: await confirmAppEnrolment(c.engine, ownAccount(c), c.input, alongAdding(c)) }),
    },
  ),
  {
    ...mine,
    method: 'DELETE',
    path: `${AT}/app`,
    title: 'Remove my authenticator app',
    handle: async (c) => {
      await removeAuthenticatorApp(c.engine, ownAccount(c), along(c))
      return changed(c)
    },
  },
  {
    ...mine,
    method: 'POST',
    path: `${AT}/passkeys/options`,
    title: 'Get the options for creating a passkey',
    handle: (c) => beginPasskeyEnrolment(c.engine, ownAccount(c), relyingPartyFor(c)),
  },
  routeWithInput(
    { name: text({ default: '', max: 100 }), passkey: json({ required: true }) },
    {
      ...mine,
      method: 'POST',
      path: `${AT}/passkeys`,
      title: 'Add a passkey',
      handle: async (c) =>
        changed(c, {
          recoveryCodes: await confirmPasskeyEnrolment(
            c.engine,
            ownAccount(c),
            c.input,
            relyingPartyFor(c),
            alongAdding(c),
          ),
        }),
    },
  ),
  routeWithInput(
    { name: text({ default: '', max: 100 }) },
    {
      ...mine,
      method: 'PUT',
      path: `${AT}/passkeys/{id}`,
      title: 'Rename a passkey',
      handle: async (c) => {
        const account = ownAccount(c)
        const name = c.input.name.trim()
        await c.engine.db.tx('system', async (tx) => {
          if (!(await findPasskeys(tx, account)).some(({ id }) => id === passkeyId(c))) throw problem.notFound()
          if (!name) throw problem.invalid([violation('name', 'Field required, please enter text')])
          await renamePasskey(tx, account, passkeyId(c), name)
        })
        return new RouteResponse(204)
      },
    },
  ),
  {
    ...mine,
    method: 'DELETE',
    path: `${AT}/passkeys/{id}`,
    title: 'Remove a passkey',
    handle: async (c) => {
      await removePasskey(c.engine, ownAccount(c), passkeyId(c), along(c))
      return changed(c)
    },
  },
  {
    ...mine,
    method: 'POST',
    path: `${AT}/recovery_codes`,
    title: 'Replace my recovery codes',
    handle: async (c) => ({ recoveryCodes: await renewRecoveryCodes(c.engine, ownAccount(c), along(c)) }),
  },
  {
    ...proves,
    method: 'POST',
    path: '/api/security/proof/passkey_options',
    title: 'Get the options for using a passkey',
    handle: (c) => beginPasskeyProof(c.engine, accountOf(c), relyingPartyFor(c)),
  },
  routeWithInput(
    { ...identityProofFields, password: text({ default: '' }) },
    {
      ...proves,
      method: 'POST',
      path: '/api/security/proof',
      title: 'Prove my identity again: returns a token for protected actions',
      handle: async (c) => {
        const account = accountOf(c)
        const factors = await c.engine.db.tx('system', (tx) => readSecondFactors(tx, account))
        const asked = { ...c, place: { address: c.request.address, session: c.me.session?.id } }
        if (hasSecondFactor(factors))
          await verifySecondFactor(asked, account, pickIdentityProof(c.input), relyingPartyFor(c), async () => {})
        else if (c.input.password) await verifyIdentityByPassword(asked, account, c.input.password)
        else throw problem.invalid([violation('password', 'Field required, please enter text')])
        const by = hasSecondFactor(factors) ? 'factor' : 'password'
        return signedInResponse(c, await c.engine.sessions.proved(c.request.token ?? '', by))
      },
    },
  ),
]

/**
 * Clears the cached tokens, which would otherwise not reflect the change for a few seconds, and returns the response.
 */
function changed(c: RouteContext, body?: Record<string, unknown>): RouteResponse {
  c.engine.sessions.forget()
  return body ? new RouteResponse(200, body) : new RouteResponse(204)
}
