import { json, text } from '#kernel/fields.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { RouteAnswer } from '#server/engine/route.ts'
import { routeWith } from '#server/engine/route-input.ts'
import { beginApp, beginPasskey, confirmApp, confirmPasskey } from '../second-factor/enrol.server.ts'
import { partyOf, proofFields, readProof } from '../second-factor/proof-input.server.ts'
import { askForPasskey, prove } from '../second-factor/prove.server.ts'
import { accountOfTicket } from '../second-factor/sign-in.server.ts'
import { endTickets, type Ticket, type TicketKind } from '../second-factor/tickets.server.ts'
import { letIn } from './let-in.server.ts'

const AT = '/api/security/login/second_factor'
const ticket = text({ required: true, label: 'Ticket' })
const open = { method: 'POST', allow: 'anonymous', secret: true, whileClosed: true } as const

const holder = (c: RouteContext, ticket: string, kind: TicketKind): Promise<Ticket> =>
  c.engine.db.tx('system', (tx) => accountOfTicket(tx, ticket, kind))

/** Lets somebody in whose first factor is set up, with the recovery codes that came with it. */
async function letInWith(c: RouteContext, account: Ticket, recoveryCodes: readonly string[]): Promise<RouteAnswer> {
  c.engine.sessions.forget()
  const { status, body, headers } = await letIn(c, account)
  return new RouteAnswer(status, { ...(body as object), recoveryCodes }, headers)
}

/** What a first factor is set up along with: the ticket is looked at again, and is over with the others. */
const alongWith = (c: RouteContext, ticket: string, account: Ticket) => ({
  from: c.request,
  first: (tx: Parameters<typeof accountOfTicket>[0]) => accountOfTicket(tx, ticket, 'enrol'),
  last: (tx: Parameters<typeof accountOfTicket>[0]) => endTickets(tx, account),
})

/** The second step of a sign-in: by a ticket, which can do nothing else. */
export const secondStepRoutes: readonly Route[] = [
  routeWith(
    { ticket, ...proofFields },
    {
      ...open,
      path: AT,
      title: 'Sign in: the second step',
      handle: async (c) => {
        const account = await holder(c, c.input.ticket, 'prove')
        await prove(c, account, readProof(c.input), partyOf(c), (tx) => endTickets(tx, account))
        return letIn(c, account)
      },
    },
  ),
  routeWith(
    { ticket },
    {
      ...open,
      path: `${AT}/passkey_options`,
      title: 'Sign in: what a passkey is asked for with',
      handle: async (c) => askForPasskey(c.engine, await holder(c, c.input.ticket, 'prove'), partyOf(c)),
    },
  ),
  routeWith(
    { ticket },
    {
      ...open,
      path: `${AT}/app`,
      title: 'First sign-in: a secret for an authenticator app',
      handle: async (c) => beginApp(c.engine, await holder(c, c.input.ticket, 'enrol')),
    },
  ),
  routeWith(
    { ticket, enrolment: text({ required: true }), code: text({ required: true }) },
    {
      ...open,
      path: `${AT}/app/confirm`,
      title: 'First sign-in: the first code of the app',
      handle: async (c) => {
        const account = await holder(c, c.input.ticket, 'enrol')
        const codes = await confirmApp(c.engine, account, c.input, alongWith(c, c.input.ticket, account))
        return letInWith(c, account, codes)
      },
    },
  ),
  routeWith(
    { ticket },
    {
      ...open,
      path: `${AT}/passkeys/options`,
      title: 'First sign-in: what a passkey is made from',
      handle: async (c) => beginPasskey(c.engine, await holder(c, c.input.ticket, 'enrol'), partyOf(c)),
    },
  ),
  routeWith(
    { ticket, name: text({ default: '', max: 100 }), passkey: json({ required: true }) },
    {
      ...open,
      path: `${AT}/passkeys`,
      title: 'First sign-in: a passkey',
      handle: async (c) => {
        const account = await holder(c, c.input.ticket, 'enrol')
        const codes = await confirmPasskey(
          c.engine,
          account,
          c.input,
          partyOf(c),
          alongWith(c, c.input.ticket, account),
        )
        return letInWith(c, account, codes)
      },
    },
  ),
]
