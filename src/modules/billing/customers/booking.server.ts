import { Problem, problem, violation } from '#kernel/errors.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { authorOf, hasRole } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import type { Context } from '#server/engine/types.ts'
import { needsSecondPerson, requireWithinLimit } from '../approvals/money-limit.server.ts'
import { postTransactionWithoutBalanceUpdate } from '../ledger/ledger.server.ts'
import { FINANCE_ROLES } from '../rights.ts'
import type { customer } from './customer.ts'
import { balanceChange } from './customer.ts'

/** A change to a customer's balance, before it is recorded. */
export interface BalanceAdjustmentInput {
  /** Pence, not zero. */
  readonly amount: number
  readonly reason: string | null | undefined
  readonly received: string | null | undefined
  /** True to record the change even if the same change was made moments ago. */
  readonly keepBoth: boolean
}

/** Minutes within which the same change by the same user needs confirmation. */
const SAME = 10

/** Throws 403 for users without a finance role. The system actor is always allowed. */
export function requireFinanceRole({ actor }: Pick<Context, 'actor'>): void {
  if (actor.kind !== 'system' && !hasRole(actor, FINANCE_ROLES))
    throw problem.forbidden('Only finance staff can see or change account balances.')
}

/** Throws 422 if a payment is dated in the future. */
export function rejectFuturePaymentDate({ now }: Pick<Context, 'now'>, received: string | null | undefined): void {
  if (received && Temporal.Instant.compare(Temporal.Instant.from(received), now) > 0)
    throw problem.invalid([violation('paymentReceivedDate', 'A payment can’t have been received in the future')])
}

/**
 * Returns the customer's balance in pence after a change. `fields` names the caller's amount and reason fields. Throws
 * 403 without the finance role, 422 for invalid input, and 409 `already_there` if the same user made the same change
 * within minutes, so that a repeated request is recorded once.
 */
export async function computeBalanceAfterChange(
  c: Context,
  of: Pick<RowOf<typeof customer>, 'id' | 'accountBalance'> | undefined,
  { amount, reason, received, keepBoth }: BalanceAdjustmentInput,
  fields: { readonly amount: string; readonly reason: string },
): Promise<number> {
  requireFinanceRole(c)
  rejectFuturePaymentDate(c, received)
  if (received && amount > 0)
    throw problem.invalid([
      violation('paymentReceivedDate', 'This change is owed by the customer, so it is no payment. Leave the date out'),
    ])
  if (!reason?.trim() && !received)
    throw problem.invalid([
      violation(fields.reason, 'Please enter a reason, or the date on which the payment was received'),
    ])
  const next = (of?.accountBalance ?? 0) + amount
  if (!Number.isSafeInteger(next)) throw problem.invalid([violation(fields.amount, 'The balance would be too large')])
  if (of && !keepBoth) await refuseSame(c, of.id, amount, received)
  return next
}

/**
 * Returns whether a balance change must be requested. Throws 409 instead if `asks` is false. Payments received are not
 * limited, like those recorded by `POST charges`: both are posted to the bank account, whose statement shows them.
 */
export async function mustAskForBalance(
  c: Context,
  of: number | undefined,
  { amount, received }: BalanceAdjustmentInput,
  asks: boolean,
): Promise<boolean> {
  requireFinanceRole(c)
  const act = { ...(of === undefined ? {} : { customer: of }), amount: received ? 0 : -amount }
  if (asks) return needsSecondPerson(c, act)
  await requireWithinLimit(c, 'balance change', act)
  return false
}

async function refuseSame(c: Context, id: number, amount: number, received: string | null | undefined): Promise<void> {
  const since = c.now.subtract({ minutes: SAME })
  const day = (at: string | null | undefined) => (at ? Temporal.Instant.from(at).epochMilliseconds : undefined)
  const who = authorOf(c.actor).username
  const twin = (await c.find(balanceChange, { customer: id, amount })).findLast(
    (one) =>
      one.author === who &&
      day(one.receivedAt) === day(received) &&
      Temporal.Instant.compare(Temporal.Instant.from(one.createdAt), since) > 0,
  )
  if (!twin) return
  throw new Problem(409, 'You recorded the same amount a moment ago. If this is a second change, record it again.', {
    code: 'already_there',
    more: { existing: iriOf(balanceChange, twin.id) },
  })
}

/**
 * Records and posts a balance change once the new balance is known. Payments are posted to the bank account, and other
 * changes as adjustments. Returns the ID of the balance change.
 */
export async function recordBalanceChange(
  c: Context,
  of: Pick<RowOf<typeof customer>, 'id' | 'currency'>,
  { amount, reason, received }: BalanceAdjustmentInput,
  balance: number,
): Promise<number> {
  const written = await c.withoutPermissionCheck("save a customer's balance change").create(balanceChange, {
    customer: of.id,
    amount,
    reason: reason?.trim() ?? '',
    receivedAt: received ?? null,
    balance,
    createdAt: c.now.toString(),
  })
  const { id } = await written.saved()
  await postTransactionWithoutBalanceUpdate(c, {
    kind: received ? 'payment' : 'adjustment',
    description: reason?.trim() || 'Payment received',
    ...(received ? { day: londonDate(Temporal.Instant.from(received)).toString() } : {}),
    currency: of.currency,
    customer: of.id,
    source: { type: balanceChange.type, id },
    entries: [
      { account: 'receivable', amount },
      { account: received ? 'bank' : 'adjustment', amount: -amount },
    ],
  })
  return id
}
