import { Problem, problem, violation } from '#kernel/errors.ts'
import { type Currency, formatMoney } from '#kernel/money.ts'
import { iriOf, type RecordOf, type RowOf } from '#kernel/resource.ts'
import { authorOf, hasRole } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { serialiseWrittenRecord } from '#server/engine/field-access.ts'
import type { Context, WriteRequest } from '#server/engine/types.ts'
import { type CardWriteContext, getOrCreateGatewayCustomerId, getPaymentGateway } from '../cards/card.server.ts'
import { card } from '../cards/card.ts'
import { mandate } from '../cards/mandate.ts'
import {
  GatewayError,
  type GatewayPaymentState,
  MIN_CARD_PAYMENT_MINOR_UNITS,
  type PaymentGateway,
} from '../cards/payment-gateway.server.ts'
import { customer } from '../customers/customer.ts'
import { describeInvoiceState, invoice } from '../invoices/invoice.ts'
import { reverseWithUsedCredit } from '../invoices/settle.server.ts'
import { firstOpenDay } from '../ledger/ledger.server.ts'
import { ledgerTransaction } from '../ledger/ledger.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { charge, isByPaymentService, type PaymentMethod } from './charge.ts'
import { applyChargeState, failCharge, lockCharge, NOT_CHARGED_MESSAGE, postChargeMovement } from './settle.server.ts'

export interface PaymentInput {
  readonly customer: number
  readonly invoice: number | null
  readonly card: number | null
  /** Direct Debit Instruction of a collection. */
  readonly mandate?: number | null
  readonly method: PaymentMethod
  /** Pence. */
  readonly amount: number
  readonly currency: Currency | null
  /** Amount due, as known to the caller. */
  readonly amountDue: number | null
  readonly reference: string
  readonly receivedAt: string | null
  readonly notes: string
  /** True to confirm that a repeat of the same payment is intended. */
  readonly keepBoth: boolean
  /** Bank line that the payment is recorded from. */
  readonly bankLine?: number
  /** Day of the posting; by default, the day on which the payment was received. */
  readonly postedOn?: string
  /** True if the cardholder has just entered the card. Other users can charge only saved cards. */
  readonly byHolder?: boolean
  /** Extra work in the transaction that starts the payment. If this work throws, no payment is started. */
  readonly begun?: (c: Context, charge: number) => Promise<void>
}

/**
 * Context of a payment. `change` is the write request that starts the payment; `finish` records the result, or
 * `undefined` if there is none.
 */
export interface PaymentWriteContext extends CardWriteContext {
  readonly finish: WriteRequest
}

/** Minutes within which the same payment by the same user needs confirmation. */
const SAME = 10

/**
 * Takes a payment. Throws 422 if the card is declined, and 502 if no payment could be requested. If the outcome is
 * uncertain, the payment stays `pending`.
 */
export async function takePayment(by: PaymentWriteContext, taking: PaymentInput): Promise<RecordOf<typeof charge>> {
  if (!isByPaymentService(taking)) return takeByHand(by, taking)
  const gateway = await getPaymentGateway(by.engine)
  const at = await getOrCreateGatewayCustomerId(by, taking.customer)
  const begun = await by.engine.inTenant(by.actor.clientId, by.change, async (c) => {
    const written = await begin(c, taking, gateway)
    const { id } = await written.saved()
    await taking.begun?.(c, id)
    return () => serialiseWrittenRecord(charge, by.actor, written)
  })
  return chargeCard(by, gateway, at, begun.id)
}

const takeByHand = (by: PaymentWriteContext, taking: PaymentInput): Promise<RecordOf<typeof charge>> =>
  by.engine.inTenant(by.actor.clientId, by.change, async (c) => {
    const { id } = await recordReceivedPayment(c, taking)
    return () => by.engine.one(charge, by.actor, id)
  })

/**
 * Records money that has already been received without a payment service. Throws 403 for users without a finance role,
 * and 422 if the date is missing or in the future.
 */
export async function recordReceivedPayment(c: Context, taking: PaymentInput): Promise<RowOf<typeof charge>> {
  if (!hasRole(c.actor, FINANCE_ROLES))
    throw problem.forbidden('Only finance staff can record payments received by bank transfer.')
  const { receivedAt } = taking
  if (receivedAt === null)
    throw problem.invalid([
      violation('receivedAt', 'Please enter the date on which the payment was received', 'required'),
    ])
  if (Temporal.Instant.compare(Temporal.Instant.from(receivedAt), c.now) > 0)
    throw problem.invalid([violation('receivedAt', 'The date received can’t be in the future')])
  const row = await (await begin(c, taking, undefined)).saved()
  const amountSettled = await postChargeMovement(c, row, {
    kind: 'payment',
    source: { type: charge.type, id: row.id },
    amount: row.amount,
    words: `Payment ${row.id}${row.reference ? `: ${row.reference}` : ''}`,
    day: taking.postedOn ?? londonDate(Temporal.Instant.from(receivedAt)).toString(),
  })
  return (await c.set(charge, row, { state: 'succeeded', receivedAt, amountSettled }, 'succeed')).saved()
}

const NOT_REVERSIBLE: Readonly<Record<Exclude<RowOf<typeof charge>['state'], 'succeeded'>, string>> = {
  pending: 'This payment is still pending. Wait until it has finished.',
  failed: 'This payment failed, so there is nothing to undo.',
  disputed: 'This payment is disputed and can’t be undone.',
  reversed: 'This payment has already been undone.',
}

/**
 * Reverses payments of one customer that were recorded in error: reversing transactions are posted, and the invoices
 * are due again. No money is paid out. A reversal is posted on the day of its payment or, if the books have been closed
 * since, on the first open day. Throws 409 for payments by card or Direct Debit and for payments that were refunded or disputed.
 */
export async function reverseReceivedPayments(c: Context, ids: readonly number[], reason: string): Promise<void> {
  const seen = await c.find(charge, { id: ids })
  const [first] = seen
  if (!first) return
  const invoices = seen.flatMap((one) => one.invoice ?? [])
  await reverseWithUsedCredit(c, first.customer, invoices, async () => {
    for (const { id } of seen) await reverseReceivedPayment(c, id, reason)
  })
}

async function reverseReceivedPayment(c: Context, id: number, reason: string): Promise<void> {
  const row = await c.lock(charge, id)
  if (isByPaymentService(row))
    throw problem.conflict(
      `A payment by ${row.method === 'card' ? 'card' : 'Direct Debit'} can’t be undone, because the money was taken. Refund it.`,
      'wrong_state',
    )
  if (row.state !== 'succeeded') throw problem.conflict(NOT_REVERSIBLE[row.state], 'wrong_state')
  if (row.amountRefunding)
    throw problem.conflict(
      `A refund of payment ${row.id} is pending or waiting for approval. Withdraw or decline it first.`,
      'wrong_state',
    )
  if (row.amountRefunded)
    throw problem.conflict(
      `${formatMoney(row.amountRefunded, row.currency)} of payment ${row.id} has been refunded, so it can’t be undone.`,
      'wrong_state',
    )
  const [posted] = await c.find(ledgerTransaction, { source: charge.type, sourceId: row.id, kind: 'payment' })
  const amountSettled = await postChargeMovement(c, row, {
    kind: 'reversed',
    source: { type: charge.type, id: row.id },
    amount: -row.amount,
    // The reason may name another customer, and this text is on the customer's statement.
    words: `Payment ${row.id} reversed`,
    ...(posted ? { day: await firstOpenDay(c, posted.day), reverses: posted.id } : {}),
  })
  const reversal = { reversalReason: reason, reversedBy: authorOf(c.actor).username, reversedAt: c.now.toString() }
  await (await c.set(charge, row, { state: 'reversed', amountSettled, ...reversal }, 'reverse')).saved()
}

/** Creates the pending payment. From now on, the payment will be reconciled whatever happens. */
async function begin(c: Context, taking: PaymentInput, gateway: PaymentGateway | undefined) {
  const currency = taking.invoice === null ? await onAccount(c, taking) : await onInvoice(c, taking)
  if (taking.currency !== null && taking.currency !== currency)
    throw problem.invalid([violation('currency', `The currency must be ${currency}`)])
  if (gateway) {
    if (taking.amount < MIN_CARD_PAYMENT_MINOR_UNITS)
      throw problem.invalid([
        violation(
          'amount',
          `The minimum card payment is ${formatMoney(MIN_CARD_PAYMENT_MINOR_UNITS, currency)}`,
          'too_small',
        ),
      ])
    await (taking.method === 'card' ? mustBeKept(c, taking, gateway) : mustBeActive(c, taking, gateway))
  }
  return c.withoutPermissionCheck('take a payment').create(charge, {
    customer: taking.customer,
    invoice: taking.invoice,
    card: taking.method === 'card' ? taking.card : null,
    mandate: taking.method === 'debit' ? (taking.mandate ?? null) : null,
    method: taking.method,
    amount: taking.amount,
    currency,
    state: 'pending',
    gateway: gateway?.name ?? '',
    reference: taking.reference.trim(),
    notes: taking.notes.trim(),
    bankLineId: taking.bankLine ?? null,
    createdAt: c.now.toString(),
  })
}

/**
 * Checks a payment for an invoice, and returns the currency. A card payment can't exceed the amount due, minus pending
 * payments; payments by other methods are not limited.
 */
async function onInvoice(
  c: Context,
  { invoice: id, customer: who, amount, amountDue, method }: PaymentInput,
): Promise<Currency> {
  const owed = await c.lock(invoice, id as number)
  if (owed.customer !== who) throw problem.invalid([violation('invoice', 'This invoice belongs to another customer')])
  if (owed.state !== 'open')
    throw problem.conflict(
      `This invoice is ${describeInvoiceState(owed.state)}, so nothing is due on it.`,
      'wrong_state',
    )
  if (amountDue !== null && amountDue !== owed.amountDue)
    throw problem.conflict(
      `The amount due on this invoice is now ${formatMoney(owed.amountDue, owed.currency)}. Reload and check the amount.`,
      'due_changed',
    )
  if (!isByPaymentService({ method })) return owed.currency
  const underWay = (await c.find(charge, { invoice: owed.id, state: 'pending' })).reduce(
    (sum, one) => sum + one.amount,
    0,
  )
  const free = owed.amountDue - underWay
  if (free <= 0)
    throw problem.conflict(
      'A payment of the full amount due is already pending. Please wait until the payment has finished.',
      'held',
    )
  if (amount > free)
    throw problem.invalid([
      violation('amount', `At most ${formatMoney(free, owed.currency)} can be paid on this invoice now`, 'too_big'),
    ])
  return owed.currency
}

/**
 * Checks a payment without an invoice, and returns the customer's currency. Throws 403 for users without a finance role,
 * because nothing is due. Throws 409 if the same user has taken the same payment in the last ten minutes, unless the
 * repeat is confirmed.
 */
async function onAccount(
  c: Context,
  { customer: who, amount, method, keepBoth, byHolder }: PaymentInput,
): Promise<Currency> {
  if (!byHolder && c.actor.kind !== 'system' && !hasRole(c.actor, FINANCE_ROLES))
    throw problem.forbidden('Only finance staff can take a payment without an invoice. Choose the invoice to pay.')
  const payer = await c.lock(customer, who)
  const since = c.now.subtract({ minutes: SAME })
  const twin = (await c.find(charge, { customer: who, amount, method, state: ['pending', 'succeeded'] })).findLast(
    (one) =>
      one.createdBy === authorOf(c.actor).username &&
      one.invoice === null &&
      Temporal.Instant.compare(Temporal.Instant.from(one.createdAt), since) > 0,
  )
  if (twin && !keepBoth)
    throw new Problem(409, 'You have just taken the same payment. If this is a second payment, take it again.', {
      code: 'already_there',
      more: { existing: iriOf(charge, twin.id) },
    })
  return payer.currency
}

async function mustBeKept(
  c: Context,
  { card: id, customer: who, byHolder }: PaymentInput,
  gateway: PaymentGateway,
): Promise<void> {
  if (id === null) throw problem.invalid([violation('card', 'Please choose a card', 'required')])
  const kept = await c.get(card, id)
  if (!kept) throw problem.unknownTarget(iriOf(card, id))
  if (kept.customer !== who) throw problem.invalid([violation('card', 'This card belongs to another customer')])
  if (kept.kept !== 'yes' && !byHolder)
    throw problem.invalid([violation('card', 'This card was entered for one payment. Choose a saved card')])
  if (kept.retired || kept.gateway !== gateway.name)
    throw problem.invalid([violation('card', 'This card can no longer be used. Choose another saved card')])
}

/** Throws 422 unless the customer's Direct Debit is active. */
async function mustBeActive(
  c: Context,
  { mandate: id, customer: who }: PaymentInput,
  gateway: PaymentGateway,
): Promise<void> {
  const held = id == null ? undefined : await c.get(mandate, id)
  if (held?.customer !== who) throw problem.invalid([violation('mandate', 'This customer has no such Direct Debit')])
  if (held.state !== 'active' || held.gateway !== gateway.name)
    throw problem.invalid([violation('mandate', 'This Direct Debit is not active')])
}

/**
 * Registers the payment, saves the gateway's reference and only then confirms the payment. If a step fails, the gateway
 * can be queried by the reference. A payment without a saved reference was never charged.
 */
async function chargeCard(
  by: PaymentWriteContext,
  gateway: PaymentGateway,
  at: string,
  id: number,
): Promise<RecordOf<typeof charge>> {
  const { engine, actor } = by
  const { clientId } = actor
  const { key, amount, currency, token, instruction } = await engine.readIn(clientId, 'take a payment', async (c) => {
    const row = await c.get(charge, id)
    const kept = row && row.card !== null ? await c.get(card, row.card) : undefined
    const held = row && row.mandate !== null ? await c.get(mandate, row.mandate) : undefined
    const token = kept?.gatewayId ?? held?.gatewayMethod
    if (!row || !token) throw new Error(`Charge ${id} has no card or bank account`)
    return { ...row, token, instruction: held?.gatewayId ?? undefined }
  })
  const order = {
    key,
    customer: at,
    card: token,
    mandate: instruction,
    amount,
    currency,
    words: `Payment ${id}`,
    about: { client: clientId, charge: id },
  }
  const ref = await gateway.order(order).catch((e: unknown) => refuse(by, id, e))
  if (!(await keepRef(by, id, ref))) {
    await gateway.cancel(ref)
    throw new GatewayError('The payment could not be started in time. Nothing was charged. Please try again.', 502)
  }
  const said = await gateway.confirm(ref, key).catch((e: unknown) => (isInDoubt(e) ? undefined : refuse(by, id, e)))
  const is = said?.state === 'failed' ? await endOrder(gateway, ref, said) : said
  if (!is) return engine.one(charge, actor, id)
  return engine
    .inTenant(clientId, by.finish, async (c) => {
      const done = await applyChargeState(c, await lockCharge(c, id), is)
      return () => (done.state === 'failed' ? undefined : engine.one(charge, actor, id))
    })
    .then((settled) => {
      if (settled) return settled
      throw refused(id, is.state === 'failed' ? is.message : NOT_CHARGED_MESSAGE)
    })
}

/** Cancels a declined order, which can then no longer be paid. Returns its state: unchanged, or paid in the meantime. */
async function endOrder(gateway: PaymentGateway, ref: string, said: GatewayPaymentState): Promise<GatewayPaymentState> {
  const ended = await gateway.cancel(ref).catch(() => undefined)
  return ended?.state === 'succeeded' ? ended : said
}

const isInDoubt = (e: unknown): boolean => e instanceof GatewayError && e.inDoubt

/** Saves the gateway's reference. Returns false if the payment has been abandoned in the meantime. */
const keepRef = ({ engine, actor, requestId }: PaymentWriteContext, id: number, ref: string): Promise<boolean> =>
  engine.inTenant(actor.clientId, { actor, requestId }, async (c) => {
    const row = await c.lock(charge, id)
    const isBegun = row.state === 'pending'
    if (isBegun) await c.set(charge, row, { gatewayRef: ref }, 'order')
    return () => isBegun
  })

/**
 * Marks the payment as failed if the gateway rejected it: no money has moved and none will. Then throws the gateway's
 * message. Other errors are rethrown unchanged.
 */
async function refuse(by: PaymentWriteContext, id: number, e: unknown): Promise<never> {
  if (!(e instanceof GatewayError)) throw e
  await by.engine.inTenant(by.actor.clientId, by.finish, async (c) => {
    const row = await lockCharge(c, id)
    if (row.state === 'pending') await failCharge(c, row, e.message, { asked: e.status !== 502 })
    return () => undefined
  })
  throw refused(id, e.message, e.status === 502 ? 502 : 422)
}

const refused = (id: number, message: string, status: 422 | 502 = 422) =>
  new Problem(status, message, {
    code: status === 422 ? 'payment_refused' : 'gateway_failure',
    more: { charge: iriOf(charge, id) },
  })
