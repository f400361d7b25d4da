import { problem } from '#kernel/errors.ts'
import { json, text } from '#kernel/fields.ts'
import type { OpenedSession } from '#server/auth/sessions.ts'
import { endFactorTickets } from '#server/auth/ways-in.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { RouteAnswer } from '#server/engine/route.ts'
import { routeWith } from '#server/engine/route-input.ts'
import type { FactorTicket, FactorTicketKind } from '#server/second-factor/tickets.ts'
import {
  beginAppEnrolment,
  beginPasskeyEnrolment,
  confirmAppEnrolment,
  confirmPasskeyEnrolment,
  type EnrolmentContext,
} from '../second-factor/enrol.server.ts'
import { proofFields, readProof, relyingPartyOf } from '../second-factor/proof-input.server.ts'
import { beginPasskeyProof, verifySecondFactor } from '../second-factor/prove.server.ts'
import { findTicketAccount, recheckTicket } from '../second-factor/sign-in.server.ts'
import { openVerifiedSession, signInWithSession } from './let-in.server.ts'
import { deviceSecretOf } from './own-page.server.ts'

const AT = '/api/security/login/second_factor'
const ticket = text({ required: true, label: 'Ticket' })
const open = { method: 'POST', allow: 'anonymous', secret: true, whileClosed: true } as const

const holder = (c: RouteContext, ticket: string, kind: FactorTicketKind): Promise<FactorTicket> =>
  c.engine.db.tx('system', (tx) => findTicketAccount(tx, ticket, kind))

/**
 * Sets up a first factor with a ticket and opens the session in the same transaction. Returns the recovery codes too.
 */
async function enrolAndLetIn(
  c: RouteContext,
  ticket: string,
  enrol: (account: FactorTicket, along: EnrolmentContext) => Promise<readonly string[]>,
): Promise<RouteAnswer> {
  const account = await holder(c, ticket, 'enrol')
  let opened: OpenedSession | undefined
  const recoveryCodes = await enrol(account, {
    from: c.request,
    first: (tx) => recheckTicket(tx, ticket, 'enrol', account),
    last: async (tx) => {
      opened = await openVerifiedSession(c, tx, account, 'factor')
    },
  })
  if (!opened) throw problem.signIn()
  c.engine.sessions.forgetPerson(account)
  const { status, body, headers } = await signInWithSession(c, account, opened)
  return new RouteAnswer(status, { ...(body as object), recoveryCodes }, headers)
}

/** Routes for the second step of a sign-in, by its ticket. */
export const secondStepRoutes: readonly Route[] = [
  routeWith(
    { ticket, ...proofFields },
    {
      ...open,
      path: AT,
      title: 'Sign in: second step',
      handle: async (c) => {
        const account = await holder(c, c.input.ticket, 'prove')
        const place = { address: c.request.address, device: deviceSecretOf(c) }
        const opened = await verifySecondFactor(
          { ...c, place },
          account,
          readProof(c.input),
          relyingPartyOf(c),
          async (tx) => {
            await recheckTicket(tx, c.input.ticket, 'prove', account)
            await endFactorTickets(tx, account)
            return openVerifiedSession(c, tx, account, 'factor')
          },
        )
        return signInWithSession(c, account, opened)
      },
    },
  ),
  routeWith(
    { ticket },
    {
      ...open,
      path: `${AT}/passkey_options`,
      title: 'Sign in: get the options for using a passkey',
      handle: async (c) => beginPasskeyProof(c.engine, await holder(c, c.input.ticket, 'prove'), relyingPartyOf(c)),
    },
  ),
  routeWith(
    { ticket },
    {
      ...open,
      path: `${AT}/app`,
      title: 'First sign-in: get a secret for an authenticator app',
      handle: async (c) => beginAppEnrolment(c.engine, await holder(c, c.input.ticket, 'enrol')),
    },
  ),
  routeWith(
    { ticket, enrolment: text({ required: true }), code: text({ required: true }) },
    {
      ...open,
      path: `${AT}/app/confirm`,
      title: 'First sign-in: confirm the app with its first code',
      handle: (c) =>
        enrolAndLetIn(c, c.input.ticket, (account, along) => confirmAppEnrolment(c.engine, account, c.input, along)),
    },
  ),
  routeWith(
    { ticket },
    {
      ...open,
      path: `${AT}/passkeys/options`,
      title: 'First sign-in: get the options for creating a passkey',
      handle: async (c) => beginPasskeyEnrolment(c.engine, await holder(c, c.input.ticket, 'enrol'), relyingPartyOf(c)),
    },
  ),
  routeWith(
    { ticket, name: text({ default: '', max: 100 }), passkey: json({ required: true }) },
    {
      ...open,
      path: `${AT}/passkeys`,
      title: 'First sign-in: add a passkey',
      handle: (c) =>
        enrolAndLetIn(c, c.input.ticket, (account, along) =>
          confirmPasskeyEnrolment(c.engine, account, c.input, relyingPartyOf(c), along),
        ),
    },
  ),
]
