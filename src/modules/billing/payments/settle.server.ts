import { formatMoney } from '#kernel/money.ts'
import type { RowOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { findUsersWithRoles } from '#server/auth/accounts.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { billingUrls } from '../billing-urls.ts'
import { endFailedMandate } from '../cards/mandate.server.ts'
import type { GatewayDispute, GatewayPaymentState, GatewayRefund } from '../cards/payment-gateway.server.ts'
import { invoice } from '../invoices/invoice.ts'
import {
  applyPaymentToInvoice,
  lockWithUsedCredit,
  reverseInvoicePayment,
  reverseWithUsedCredit,
} from '../invoices/settle.server.ts'
import { postTransaction } from '../ledger/ledger.server.ts'
import { type LedgerTransactionKind, ledgerTransaction } from '../ledger/ledger.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { charge, isByPaymentService, refund } from './charge.ts'
import { chargeFailed } from './events.ts'

export type ChargeRow = RowOf<typeof charge>
export type RefundRow = RowOf<typeof refund>

/**
 * Locks the invoice that a charge pays, then the charge. The lock order is invoice, charge, customer, because every
 * posting changes the customer's balance.
 */
export async function lockCharge(c: Context, id: number): Promise<ChargeRow> {
  const seen = await c.get(charge, id)
  if (seen && seen.invoice !== null) await c.lock(invoice, seen.invoice)
  return c.lock(charge, id)
}

/** Locks a charge whose money may be returned, with the invoices that may have been paid from its credit. */
export async function lockReturnable(c: Context, id: number): Promise<ChargeRow> {
  const seen = await c.get(charge, id)
  if (seen && seen.state !== 'pending') await lockWithUsedCredit(c, seen.customer, invoicesOf(seen))
  return lockCharge(c, id)
}

const invoicesOf = ({ invoice: of }: Pick<ChargeRow, 'invoice'>): number[] => (of === null ? [] : [of])

/**
 * Returns the account that holds the money: the payment service's account for payments by card and Direct Debit,
 * otherwise the bank account.
 */
const standsIn = (row: Pick<ChargeRow, 'method'>) => (isByPaymentService(row) ? 'clearing' : 'bank')

const nameOfPayment = ({ method, id }: Pick<ChargeRow, 'method' | 'id'>): string =>
  `${method === 'debit' ? 'Direct Debit' : 'Card payment'} ${id}`

interface Movement {
  readonly kind: LedgerTransactionKind
  readonly source: { readonly type: string; readonly id: number }
  /** Pence received; negative for money paid out. */
  readonly amount: number
  readonly words: string
  readonly day?: string
  /** Transaction that this one reverses. */
  readonly reverses?: number
}

/**
 * Posts a movement of a charge's money against the customer's balance and updates the amount paid on the invoice.
 * Returns the part of the charge that is now applied to the invoice.
 */
export async function postChargeMovement(
  c: Context,
  row: ChargeRow,
  { kind, source, amount, words, day, reverses }: Movement,
): Promise<number> {
  const settled = amount > 0 ? await settle(c, row, amount) : await unsettle(c, row, -amount)
  await postTransaction(c, {
    kind,
    day: day ?? londonDate(c.now).toString(),
    description: words,
    currency: row.currency,
    customer: row.customer,
    source,
    ...(reverses ? { reverses } : {}),
    entries: [
      { account: standsIn(row), amount },
      { account: 'receivable', amount: -amount, invoice: row.invoice },
    ],
  })
  return settled
}

/** Posts a fee of the payment service; a negative amount posts its refund. */
const postFee = (c: Context, row: ChargeRow, kind: LedgerTransactionKind, amount: number, words: string) =>
  postTransaction(c, {
    kind,
    description: words,
    currency: row.currency,
    customer: row.customer,
    source: chargeSource(row),
    entries: [
      { account: 'fees', amount },
      { account: 'clearing', amount: -amount },
    ],
  })

/** Applies the payment to the invoice up to the amount due; the remainder becomes customer credit. */
async function settle(c: Context, row: ChargeRow, amount: number): Promise<number> {
  if (row.invoice === null) return 0
  const owed = await c.lock(invoice, row.invoice)
  const part = owed.state === 'open' ? Math.min(amount, owed.amountDue) : 0
  if (part) await applyPaymentToInvoice(c, owed, part)
  return row.amountSettled + part
}

/**
 * Reverses the invoice payment by the part of a refund that exceeds the payment's unapplied amount. Refunds are taken
 * from the unapplied amount first.
 */
async function unsettle(c: Context, row: ChargeRow, amount: number): Promise<number> {
  if (row.invoice === null) return 0
  const free = row.amount - row.amountRefunded - row.amountSettled - (row.state === 'disputed' ? row.amountDisputed : 0)
  const part = Math.min(row.amountSettled, Math.max(0, amount - Math.max(0, free)))
  if (part) await reverseInvoicePayment(c, await c.lock(invoice, row.invoice), part)
  return row.amountSettled - part
}

export const NOT_CHARGED_MESSAGE = 'The payment service did not accept this payment. Nothing was charged.'

const chargeSource = (row: ChargeRow) => ({ type: charge.type, id: row.id })

/** Returns the source of a charge's next movement of one kind. The first has the plain type, others a number. */
async function unusedSource(c: Context, { id }: ChargeRow, kind: LedgerTransactionKind) {
  const posted = (await c.find(ledgerTransaction, { sourceId: id, kind })).filter(
    ({ source }) => source.split(' ')[0] === charge.type,
  )
  return { type: posted.length ? `${charge.type} ${posted.length + 1}` : charge.type, id }
}

/** Notification: a payment that had failed here was paid at the payment service. */
export const paidAfterFailureNotification = declareNotificationType({
  kind: 'charge.paid after failure',
  label: 'Failed payments that were paid later',
  for: FINANCE_ROLES,
  icon: 'alert',
  of: charge,
  words: ({ id, amount, currency, customer: payer, invoice: owed }) =>
    `Payment ${id} of ${formatMoney(amount, currency)} by ${payer?.companyName || payer?.contactName || 'a customer'} had failed and has now been paid at the payment service. Check that the customer has not paid ${owed ? `invoice ${owed.number}` : 'it'} twice`,
  path: ({ id }, _, { clientId }) => billingUrls(clientId).charge(id),
  mail: true,
})

/**
 * Updates a charge to the gateway's state. A final state changes only if the gateway has changed it. It may change from
 * failed to paid, because a declined order can still be paid at the payment service.
 */
export async function applyChargeState(c: Context, row: ChargeRow, is: GatewayPaymentState): Promise<ChargeRow> {
  if (row.state === 'pending' && is.state === 'succeeded') return succeed(c, row, is.fee)
  if (row.state === 'failed' && is.state === 'succeeded') {
    const paid = await succeed(c, row, is.fee)
    const finance = await findUsersWithRoles(c.work.tx, c.clientId, FINANCE_ROLES)
    await notifyUsers(
      c,
      paidAfterFailureNotification,
      finance.map(({ userId }) => ({ to: userId, about: row.id })),
    )
    return paid
  }
  if (row.state === 'pending' && (is.state === 'failed' || is.state === 'cancelled'))
    return is.state === 'failed'
      ? endMandateOf(c, row, is, () => failCharge(c, row, is.message, { hard: is.hard }))
      : failCharge(c, row, NOT_CHARGED_MESSAGE, { asked: false })
  if (row.state === 'succeeded' && is.state === 'failed')
    return endMandateOf(c, row, is, () => failLate(c, row, is.message))
  return row
}

/** Ends the Direct Debit too, if its account can't be debited any more. */
async function endMandateOf(
  c: Context,
  { mandate }: ChargeRow,
  { hard, message }: Extract<GatewayPaymentState, { state: 'failed' }>,
  fail: () => Promise<ChargeRow>,
): Promise<ChargeRow> {
  if (hard && mandate !== null) await endFailedMandate(c, mandate, message)
  return fail()
}

async function succeed(c: Context, row: ChargeRow, fee: number): Promise<ChargeRow> {
  const amountSettled = await postChargeMovement(c, row, {
    kind: 'charge',
    source: await unusedSource(c, row, 'charge'),
    amount: row.amount,
    words: nameOfPayment(row),
  })
  // The fee for a payment that the bank reversed temporarily has already been posted.
  if (!row.fee) await postFee(c, row, 'fee', fee, `Fee for payment ${row.id}`)
  const set = {
    state: 'succeeded',
    receivedAt: c.now.toString(),
    fee: row.fee || fee,
    hard: false,
    amountSettled,
  } as const
  return (await c.set(charge, row, set, 'succeed')).saved()
}

/**
 * Marks a charge as failed. `asked` is false if the card was never charged, for example because the payment service was
 * unavailable.
 */
export async function failCharge(
  c: Context,
  row: ChargeRow,
  message: string,
  { hard = false, asked = true } = {},
): Promise<ChargeRow> {
  await tellFailed(c, row, asked)
  return (await c.set(charge, row, { state: 'failed', failure: message.slice(0, 500), hard }, 'fail')).saved()
}

/**
 * Records that a bank has reversed a paid charge, so that the customer owes the amount again. Refunds made in the
 * meantime are not recovered.
 */
async function failLate(c: Context, row: ChargeRow, message: string): Promise<ChargeRow> {
  const movement: Movement = {
    kind: 'failed',
    source: await unusedSource(c, row, 'failed'),
    amount: -row.amount,
    words: `${nameOfPayment(row)} failed: ${message}`.slice(0, 500),
  }
  await tellFailed(c, row, true)
  await reverseWithUsedCredit(c, row.customer, invoicesOf(row), async () => {
    const amountSettled = await postChargeMovement(c, row, movement)
    await c.set(charge, row, { state: 'failed', failure: message.slice(0, 500), amountSettled }, 'fail')
  })
  return c.lock(charge, row.id)
}

const tellFailed = async (c: Context, row: ChargeRow, asked: boolean): Promise<void> => {
  if (row.invoice !== null) await c.emit(chargeFailed, { charge: row.id, asked })
}

export async function applyRefundState(
  c: Context,
  id: number,
  said: Pick<GatewayRefund, 'state' | 'message'> & { readonly ref?: string },
): Promise<RefundRow> {
  const seen = await c.get(refund, id)
  if (!seen) throw new Error(`There is no refund ${id}`)
  const of = await lockReturnable(c, seen.charge)
  const row = await c.lock(refund, id)
  const named = row.gatewayRef === null && said.ref ? { gatewayRef: said.ref } : {}
  if (row.state === 'pending' && said.state === 'succeeded') {
    const set = { ...named, state: 'succeeded', settledAt: c.now.toString() } as const
    const payOut = async () => {
      await goOut(c, of, row)
      await written(c, row, set, 'succeed')
    }
    await reverseWithUsedCredit(c, of.customer, invoicesOf(of), payOut, row.amount)
    return c.lock(refund, id)
  }
  if (row.state === 'pending' && said.state === 'failed')
    return written(
      c,
      row,
      { ...named, state: 'failed', failure: said.message || FAILED, settledAt: c.now.toString() },
      'fail',
    )
  if (row.state === 'succeeded' && said.state === 'failed') {
    await comeBack(c, of, row)
    return written(c, row, { state: 'failed', failure: said.message || FAILED }, 'fail')
  }
  return 'gatewayRef' in named ? written(c, row, named, 'update') : row
}
const FAILED = 'The payment service could not make the refund.'

/** Saves the refund immediately, because a database trigger then updates the charge, which the next step reads. */
async function written(c: Context, row: RefundRow, set: Partial<RefundRow>, verb: string): Promise<RefundRow> {
  return (await c.set(refund, row, set, verb)).saved()
}

async function goOut(c: Context, of: ChargeRow, row: RefundRow): Promise<void> {
  const amountSettled = await postChargeMovement(c, of, {
    kind: 'refund',
    source: { type: refund.type, id: row.id },
    amount: -row.amount,
    words: `Refund ${row.id} of payment ${of.id}${row.reason ? `: ${row.reason}` : ''}`.slice(0, 500),
  })
  if (amountSettled !== of.amountSettled) await c.set(charge, of, { amountSettled }, 'refund')
}

async function comeBack(c: Context, of: ChargeRow, row: RefundRow): Promise<void> {
  const amountSettled = await postChargeMovement(c, of, {
    kind: 'failed',
    source: { type: refund.type, id: row.id },
    amount: row.amount,
    words: `Refund ${row.id} of payment ${of.id} failed`,
  })
  if (amountSettled !== of.amountSettled) await c.set(charge, of, { amountSettled }, 'refund')
}

/**
 * Applies a dispute. The payer's bank withholds the money until the decision; if the dispute is won, the money is returned.
 * Indemnity claims under the Direct Debit Guarantee are decided when they are reported.
 */
export async function settleDispute(c: Context, row: ChargeRow, said: GatewayDispute): Promise<void> {
  if (row.state === 'disputed' && row.method === 'debit' && row.dispute === 'lost') return claimRest(c, row, said)
  if (row.state === 'pending' || row.state === 'failed' || row.dispute === 'won' || row.dispute === 'lost') return
  if (said.state !== 'won') {
    if (row.state === 'succeeded') await dispute(c, row, said)
    else if (said.state === 'lost') await c.set(charge, row, { dispute: 'lost' }, 'lose')
    return
  }
  // The dispute was not recorded while it was open, so it has moved no money.
  if (row.state === 'succeeded')
    return void (await c.set(charge, row, { ...claimOf(row, said, said.amount), dispute: 'won' }, 'win'))
  const amountSettled = await postChargeMovement(c, row, {
    kind: 'won',
    source: chargeSource(row),
    amount: row.amountDisputed,
    words: `Dispute of payment ${row.id} won`,
  })
  await c.set(charge, row, { state: 'succeeded', dispute: 'won', amountSettled }, 'win')
}

/** Posts the dispute fee. The fee is charged and returned at most once per payment, so each is posted only once. */
export async function settleDisputeFee(c: Context, row: ChargeRow, fee: number): Promise<void> {
  const isKept = row.disputeFee === 0 && fee > 0 && row.dispute !== 'won'
  const isBack = row.disputeFee > 0 && fee === 0
  if (!isKept && !isBack) return
  const words = `Fee for the dispute of payment ${row.id}`
  await (isKept
    ? postFee(c, row, 'disputeFee', fee, words)
    : postFee(c, row, 'disputeFeeBack', -row.disputeFee, `${words} refunded`))
  await c.set(charge, row, { disputeFee: fee }, 'dispute')
}

async function dispute(c: Context, row: ChargeRow, said: GatewayDispute): Promise<void> {
  const returned = row.method === 'debit' ? Math.min(said.amount, await unreturned(c, row)) : said.amount
  const words = row.method === 'debit' ? `${nameOfPayment(row)} claimed back by the bank` : `Payment ${row.id} disputed`
  const movement = { kind: 'dispute', source: chargeSource(row), amount: -returned, words } as const
  const set = { state: 'disputed', dispute: said.state === 'lost' ? 'lost' : 'open' } as const
  await reverseWithUsedCredit(c, row.customer, invoicesOf(row), async () => {
    const amountSettled = returned ? await postChargeMovement(c, row, movement) : row.amountSettled
    await c.set(charge, row, { ...set, amountSettled, ...claimOf(row, said, returned) }, 'dispute')
  })
}

/** Returns the part of a payment that no completed or pending refund has returned. */
async function unreturned(c: Context, row: ChargeRow): Promise<number> {
  const underWay = await c.find(refund, { charge: row.id, state: 'pending' })
  return underWay.reduce((left, { amount }) => left - amount, row.amount - row.amountRefunded)
}

/**
 * Returns the claimed amount. A refunded part of a Direct Debit is never returned twice: an indemnity claim for that
 * part must be challenged.
 */
function claimOf({ currency }: ChargeRow, { amount, reason }: GatewayDispute, returned: number) {
  const why = `${formatMoney(amount - returned, currency)} of this claim had already been refunded. Challenge the claim with the bank`
  return { amountDisputed: returned, disputeReason: returned < amount ? `${reason}. ${why}` : reason }
}

/** Posts the rest of an indemnity claim after a refund of its payment has failed. */
async function claimRest(c: Context, row: ChargeRow, said: GatewayDispute): Promise<void> {
  const returned = Math.min(said.amount, await unreturned(c, row))
  if (returned <= row.amountDisputed) return
  const source = await unusedSource(c, row, 'dispute')
  const words = `${nameOfPayment(row)}: rest claimed back by the bank, because a refund failed`
  const movement = { kind: 'dispute', source, amount: row.amountDisputed - returned, words } as const
  await reverseWithUsedCredit(c, row.customer, invoicesOf(row), async () => {
    const amountSettled = await postChargeMovement(c, row, movement)
    await c.set(charge, row, { amountSettled, ...claimOf(row, said, returned) }, 'dispute')
  })
}
