import { problem } from '#kernel/errors.ts'
import { json, text } from '#kernel/fields.ts'
import type { Opened } from '#server/auth/sessions.ts'
import { endTickets } from '#server/auth/ways-in.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { RouteAnswer } from '#server/engine/route.ts'
import { routeWith } from '#server/engine/route-input.ts'
import type { Ticket, TicketKind } from '#server/second-factor/tickets.ts'
import { type Along, beginApp, beginPasskey, confirmApp, confirmPasskey } from '../second-factor/enrol.server.ts'
import { partyOf, proofFields, readProof } from '../second-factor/proof-input.server.ts'
import { askForPasskey, prove } from '../second-factor/prove.server.ts'
import { accountOfTicket, checkTicketAgain } from '../second-factor/sign-in.server.ts'
import { letIn, openSession } from './let-in.server.ts'
import { heldDevice } from './own-page.server.ts'

const AT = '/api/security/login/second_factor'
const ticket = text({ required: true, label: 'Ticket' })
const open = { method: 'POST', allow: 'anonymous', secret: true, whileClosed: true } as const

const holder = (c: RouteContext, ticket: string, kind: TicketKind): Promise<Ticket> =>
  c.engine.db.tx('system', (tx) => accountOfTicket(tx, ticket, kind))

/**
 * Sets up a first factor with a ticket and opens the session in the same transaction. Returns the recovery codes too.
 */
async function enrolAndLetIn(
  c: RouteContext,
  ticket: string,
  enrol: (account: Ticket, along: Along) => Promise<readonly string[]>,
): Promise<RouteAnswer> {
  const account = await holder(c, ticket, 'enrol')
  let opened: Opened | undefined
  const recoveryCodes = await enrol(account, {
    from: c.request,
    first: (tx) => checkTicketAgain(tx, ticket, 'enrol', account),
    last: async (tx) => {
      opened = await openSession(c, tx, account, 'factor')
    },
  })
  if (!opened) throw problem.signIn()
  c.engine.sessions.forgetPerson(account)
  const { status, body, headers } = await letIn(c, account, opened)
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
        const place = { address: c.request.address, device: heldDevice(c) }
        const opened = await prove({ ...c, place }, account, readProof(c.input), partyOf(c), async (tx) => {
          await checkTicketAgain(tx, c.input.ticket, 'prove', account)
          await endTickets(tx, account)
          return openSession(c, tx, account, 'factor')
        })
        return letIn(c, account, opened)
      },
    },
  ),
  routeWith(
    { ticket },
    {
      ...open,
      path: `${AT}/passkey_options`,
      title: 'Sign in: get the options for using a passkey',
      handle: async (c) => askForPasskey(c.engine, await holder(c, c.input.ticket, 'prove'), partyOf(c)),
    },
  ),
  routeWith(
    { ticket },
    {
      ...open,
      path: `${AT}/app`,
      title: 'First sign-in: get a secret for an authenticator app',
      handle: async (c) => beginApp(c.engine, await holder(c, c.input.ticket, 'enrol')),
    },
  ),
  routeWith(
    { ticket, enrolment: text({ required: true }), code: text({ required: true }) },
    {
      ...open,
      path: `${AT}/app/confirm`,
      title: 'First sign-in: confirm the app with its first code',
      handle: (c) =>
        enrolAndLetIn(c, c.input.ticket, (account, along) => confirmApp(c.engine, account, c.input, along)),
    },
  ),
  routeWith(
    { ticket },
    {
      ...open,
      path: `${AT}/passkeys/options`,
      title: 'First sign-in: get the options for creating a passkey',
      handle: async (c) => beginPasskey(c.engine, await holder(c, c.input.ticket, 'enrol'), partyOf(c)),
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
          confirmPasskey(c.engine, account, c.input, partyOf(c), along),
        ),
    },
  ),
]
