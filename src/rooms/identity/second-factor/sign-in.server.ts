import { Problem, problem } from '#kernel/errors.ts'
import type { Account } from '#server/auth/credentials.ts'
import { isCompulsory } from '#server/auth/proof.ts'
import type { Tx } from '#server/db/db.ts'
import type { Engine } from '#server/engine/engine.ts'
import { hasFactor, methodsOf, readFactors } from './factors.server.ts'
import { findTicket, issueTicket, type Ticket, type TicketKind, ticketSeconds } from './tickets.server.ts'

/**
 * Stops a sign-in whose password was right, where it takes more: 401 with a ticket that is good for the second step, or for setting
 * up the first factor, and for nothing else. Whoever has no factor and needs none passes.
 */
export async function askSecondFactor(engine: Engine, account: Account): Promise<void> {
  const asked = await engine.db.tx('system', async (tx) => {
    const factors = await readFactors(tx, account)
    if (hasFactor(factors))
      return { kind: 'prove' as const, methods: methodsOf(factors), ticket: await issueTicket(tx, account, 'prove') }
    if (!isCompulsory(engine.config, account.clientId)) return undefined
    return { kind: 'enrol' as const, methods: [], ticket: await issueTicket(tx, account, 'enrol') }
  })
  if (!asked) return
  const { kind, ...more } = asked
  throw new Problem(
    401,
    kind === 'prove'
      ? 'Your password is right. Please prove with your second factor that it is you.'
      : 'Your password is right. Please set up a second factor, which your sign-in needs.',
    {
      code: kind === 'prove' ? 'second_factor_required' : 'second_factor_setup_required',
      headers: { 'www-authenticate': 'Bearer', 'cache-control': 'no-store' },
      more: { secondFactor: { ...more, expiresIn: ticketSeconds(kind) } },
    },
  )
}

/** Whose sign-in goes on by a ticket. Throws 401 once it is over. */
export async function accountOfTicket(tx: Tx, ticket: string, kind: TicketKind): Promise<Ticket> {
  const found = await findTicket(tx, ticket, kind)
  if (!found)
    throw problem.signIn('This took too long. Please enter your username and password again.', 'session_ended')
  return found
}
