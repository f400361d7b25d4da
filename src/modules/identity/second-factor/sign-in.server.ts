import { Problem, problem } from '#kernel/errors.ts'
import { type CheckedAccount, lockCheckedAccount, requireUnchangedCredentials } from '#server/auth/credentials.ts'
import { isSecondFactorRequired } from '#server/auth/proof.ts'
import type { Tx } from '#server/db/db.ts'
import type { Engine } from '#server/engine/types.ts'
import { hasSecondFactor, readSecondFactors, secondFactorMethods } from '#server/second-factor/factors.ts'
import {
  type FactorTicket,
  type FactorTicketKind,
  findFactorTicket,
  issueFactorTicket,
  ticketLifetimeSeconds,
} from '#server/second-factor/tickets.ts'

/**
 * Completes a sign-in if its password is still right; otherwise throws 401 with a ticket that is valid only for the
 * second step or for setting up the first factor. `open` opens the session in the same transaction, so that a
 * concurrent change of password or factor is taken into account.
 */
export async function completeFirstStep<T>(
  engine: Engine,
  account: CheckedAccount,
  open: (tx: Tx) => Promise<T>,
): Promise<T> {
  const step = await engine.db.tx('system', async (tx) => {
    await lockCheckedAccount(tx, account)
    const factors = await readSecondFactors(tx, account)
    if (hasSecondFactor(factors))
      return {
        kind: 'prove' as const,
        methods: secondFactorMethods(factors),
        ticket: await issueFactorTicket(tx, account, 'prove'),
      }
    if (!isSecondFactorRequired(engine.config, account.clientId))
      return { kind: 'none' as const, opened: await open(tx) }
    return { kind: 'enrol' as const, methods: [], ticket: await issueFactorTicket(tx, account, 'enrol') }
  })
  if (step.kind === 'none') return step.opened
  const { kind, ...more } = step
  throw new Problem(
    401,
    kind === 'prove'
      ? 'Your password is right. Please confirm with your second factor.'
      : 'Your password is right. Your sign-in requires a second factor. Please set it up.',
    {
      code: kind === 'prove' ? 'second_factor_required' : 'second_factor_setup_required',
      headers: { 'www-authenticate': 'Bearer', 'cache-control': 'no-store' },
      more: { secondFactor: { ...more, expiresIn: ticketLifetimeSeconds(kind) } },
    },
  )
}

/** Finds the account of a sign-in ticket. Throws 401 once it has expired. */
export async function findTicketAccount(tx: Tx, ticket: string, kind: FactorTicketKind): Promise<FactorTicket> {
  const found = await findFactorTicket(tx, ticket, kind)
  if (!found)
    throw problem.signIn('This took too long. Please enter your username and password again.', 'session_ended')
  return found
}

/**
 * Checks a ticket again in the transaction that opens its session. Throws 401 if it has expired or the password has
 * changed. Locks the account.
 */
export async function recheckTicket(
  tx: Tx,
  ticket: string,
  kind: FactorTicketKind,
  account: FactorTicket,
): Promise<void> {
  await requireUnchangedCredentials(tx, account)
  await findTicketAccount(tx, ticket, kind)
}
