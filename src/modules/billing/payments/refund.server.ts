import { Problem, problem, violation } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { authorOf, createSystemActor } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { eventHandler } from '#server/engine/handler.ts'
import type { Context, Engine, WriteRequest } from '#server/engine/types.ts'
import {
  assertSecondPerson,
  needsSecondPerson,
  notifyApprovers,
  requireApprovers,
} from '../approvals/money-limit.server.ts'
import { getPaymentGateway } from '../cards/card.server.ts'
import { GatewayError, type GatewayRefund } from '../cards/payment-gateway.server.ts'
import { charge, isByPaymentService, refund } from './charge.ts'
import { refundQueued } from './events.ts'
import { applyRefundState, type ChargeRow, lockCharge, lockReturnable, type RefundRow } from './settle.server.ts'
import type { PaymentWriteContext } from './take-payment.server.ts'

export interface RefundInput {
  readonly charge: number
  /** Pence. */
  readonly amount: number
  readonly reason: string
  readonly notes: string
  /** Credit note that requested the refund. */
  readonly creditNote?: number
  /** Amount already refunded, as known to the caller; null skips the check. */
  readonly amountRefunded: number | null
}

/**
 * Refunds a charge in full or in part. A refund above the limit, with others of the last 30 days, awaits approval. Throws 422 if the amount is more than
 * can be refunded or if the payment service rejects it, and 409 if the charge has not succeeded or its refunds have
 * changed. If the outcome is uncertain, the refund stays `pending`.
 */
export async function refundCharge(by: PaymentWriteContext, refunding: RefundInput): Promise<RecordOf<typeof refund>> {
  const { engine, actor } = by
  const begun = await engine.inTenant(actor.clientId, by.change, async (c) => {
    const row = await lockReturnable(c, refunding.charge)
    const act = { customer: row.customer, charge: row.id, amount: refunding.amount }
    const made = await ask(c, row, refunding, (await needsSecondPerson(c, act)) ? 'waiting' : 'pending')
    // A manual refund is settled here, because it needs no payment service.
    if (isByPaymentService(row) || made.state === 'waiting') return () => engine.one(refund, actor, made.id)
    await applyRefundState(c, made.id, BY_HAND)
    return () => engine.one(refund, actor, made.id)
  })
  if (begun.state !== 'pending') return begun
  return (await pay(by, begun.id)) ?? engine.one(refund, actor, begun.id)
}

/**
 * Creates a refund that is sent after commit or, if it is `waiting`, once a second person has approved it, for behaviours
 * such as credit notes. Like `refundCharge`, throws if the amount is more than can be refunded. The caller has checked
 * whether a second person is needed.
 */
export async function queueRefund(
  c: Context,
  refunding: Omit<RefundInput, 'amountRefunded'>,
  state: 'waiting' | 'pending',
): Promise<void> {
  const row = await lockCharge(c, refunding.charge)
  const made = await ask(c, row, { ...refunding, amountRefunded: null }, state)
  if (state === 'pending') await c.emit(refundQueued, { refund: made.id })
}

/** Creates the refund. The caller must have locked the charge, so that simultaneous requests are taken into account. */
async function ask(c: Context, row: ChargeRow, given: RefundInput, state: 'waiting' | 'pending'): Promise<RefundRow> {
  const say = (pence: number) => formatMoney(pence, row.currency)
  if (row.state !== 'succeeded') throw problem.conflict(NOT_REFUNDABLE[row.state], 'wrong_state')
  if (given.amountRefunded !== null && given.amountRefunded !== row.amountRefunded + row.amountRefunding)
    throw problem.conflict(
      `${say(row.amountRefunded + row.amountRefunding)} of this payment has been refunded or is in pending refunds. Reload and check the amount.`,
      'refunded_meanwhile',
    )
  const free = row.amount - row.amountRefunded - row.amountRefunding
  if (free === 0)
    throw problem.invalid([
      violation('amount', 'This payment has been refunded in full, including pending refunds', 'too_big'),
    ])
  if (given.amount > free)
    throw problem.invalid([violation('amount', `You can refund at most ${say(free)}`, 'too_big')])
  const approvers = state === 'waiting' ? await requireApprovers(c, 'refund') : []
  const made = await c.withoutPermissionCheck('refund a payment').create(refund, {
    charge: row.id,
    customer: row.customer,
    creditNote: given.creditNote ?? null,
    amount: given.amount,
    currency: row.currency,
    reason: given.reason.trim(),
    notes: given.notes.trim(),
    state,
    createdBy: authorOf(c.actor).username,
    createdAt: c.now.toString(),
  })
  const saved = await made.saved()
  await notifyApprovers(c, 'refund', saved.id, approvers)
  return saved
}

const NOT_REFUNDABLE: Readonly<Record<Exclude<ChargeRow['state'], 'succeeded'>, string>> = {
  pending: 'This payment is still pending. You can refund the payment once it has succeeded.',
  failed: 'This payment failed, so there is nothing to refund.',
  reversed: 'This payment was recorded in error and has been reversed, so there is nothing to refund.',
  disputed: 'This payment is disputed and can’t be refunded until the bank has decided.',
}

/**
 * Requests the refund from the payment service and applies the response. Throws the service's message if the refund is
 * rejected. If the outcome is uncertain, the refund is reconciled later.
 */
async function pay(
  by: Pick<PaymentWriteContext, 'engine' | 'actor' | 'finish'>,
  id: number,
): Promise<RecordOf<typeof refund> | undefined> {
  const { engine, actor } = by
  const { clientId } = actor
  const settle = (change: WriteRequest, said: Parameters<typeof applyRefundState>[2]) =>
    engine.inTenant(clientId, change, async (c) => {
      const { state } = await applyRefundState(c, id, said)
      return () => (state === 'failed' ? undefined : engine.one(refund, actor, id))
    })
  let said: GatewayRefund
  try {
    said = await order(engine, clientId, id)
  } catch (e) {
    if (!(e instanceof GatewayError)) throw e
    if (e.inDoubt) return undefined
    await settle(by.finish, { state: 'failed', message: e.message })
    throw refused(id, e.message, e.status === 502 ? 502 : 422)
  }
  const settled = await settle(by.finish, said)
  if (settled) return settled
  throw refused(id, said.message)
}

const refused = (id: number, message: string, status: 422 | 502 = 422) =>
  new Problem(status, message || 'The payment service could not make the refund.', {
    code: status === 422 ? 'payment_refused' : 'gateway_failure',
    more: { refund: iriOf(refund, id) },
  })

/**
 * Requests the refund from the gateway. A repeated request with the same key returns the existing refund. Throws a
 * GatewayError if another payment service took the payment.
 */
async function order(engine: Engine, clientId: number, id: number): Promise<GatewayRefund> {
  const gateway = await getPaymentGateway(engine)
  const { key, amount, of } = await engine.readIn(clientId, 'send a refund to the payment service', async (c) => {
    const row = await c.get(refund, id)
    const paid = row && (await c.get(charge, row.charge))
    if (!row || !paid) throw new Error(`There is no refund ${id}`)
    return { ...row, of: paid }
  })
  if (of.gateway !== gateway.name || of.gatewayRef === null)
    throw new GatewayError(
      'This payment was made through another payment service. Refund it there, or by bank transfer.',
    )
  return gateway.refund({ key, payment: of.gatewayRef, amount, about: { client: clientId, charge: of.id } })
}

/**
 * Reconciles a pending refund. Manual refunds are settled. For others, the gateway is queried, and a refund that the
 * gateway does not know is requested under its key. Throws if the gateway is unavailable.
 */
export async function reconcileRefund(engine: Engine, clientId: number, id: number): Promise<void> {
  const { row, of } = await engine.readIn(clientId, 'update a refund from the payment service', async (c) => {
    const found = await c.get(refund, id)
    const paid = found && (await c.get(charge, found.charge))
    if (!found || !paid) throw new Error(`There is no refund ${id}`)
    return { row: found, of: paid }
  })
  if (row.state !== 'pending') return
  const said = isByPaymentService(of) ? await askGateway(engine, clientId, row, of) : BY_HAND
  const actor = createSystemActor(clientId, 'update a refund from the payment service')
  await engine.inTenant(clientId, { actor, requestId: `refund ${id}` }, async (c) => {
    await applyRefundState(c, id, said)
    return () => undefined
  })
}

const BY_HAND = { state: 'succeeded', message: '' } as const

async function askGateway(engine: Engine, clientId: number, row: RefundRow, of: ChargeRow) {
  const gateway = await getPaymentGateway(engine)
  const found =
    of.gatewayRef === null ? undefined : (await gateway.look(of.gatewayRef)).refunds.find((r) => r.key === row.key)
  return found ?? (await orNo(order(engine, clientId, row.id)))
}

/** Returns the refund, or a failed refund if the gateway rejects the request. A rejection is a final response too. */
const orNo = (ordered: Promise<GatewayRefund>) =>
  ordered.catch((e: unknown) => {
    if (e instanceof GatewayError && !e.inDoubt && e.status === 422)
      return { state: 'failed' as const, message: e.message }
    throw e
  })

/** Sends approved refunds and credit-note refunds after commit. Retries until the gateway responds. */
export const sendQueuedRefund = eventHandler(refundQueued, {
  name: 'refund.pay',
  queue: 'events',
  send: ({ engine, clientId }, { refund: id }) => reconcileRefund(engine, clientId, id),
})

export const refundBehaviour = behaviour(refund, {
  actions: {
    approve: async (c) => {
      const { row } = c
      await assertSecondPerson(c, row.createdBy, 'refund')
      const approvedBy = authorOf(c.actor).username
      const of = await lockCharge(c, row.charge)
      if (of.state !== 'succeeded') throw problem.conflict(NOT_REFUNDABLE[of.state], 'wrong_state')
      await c.emit(refundQueued, { refund: row.id })
      return { set: { state: 'pending' as const, approvedBy } }
    },
    reject: ({ input, actor }) => ({
      set: {
        state: 'failed' as const,
        failure: `Declined by ${authorOf(actor).name}: ${input.reason}`.slice(0, 500),
      },
    }),
    withdraw: ({ row }) => {
      // Without its refund, the amount of a credit note would become the customer's credit.
      if (row.creditNote !== null)
        throw problem.conflict('This refund belongs to a credit note, so a second person must approve or decline it.')
      return { set: { state: 'failed' as const, failure: 'Withdrawn' } }
    },
  },
})
