import type { RowOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import type { Context } from '#server/engine/types.ts'
import { invoice } from '../invoices/invoice.ts'
import { reverseInvoicePayment, settleInvoice } from '../invoices/settle.server.ts'
import type { TransactionKind } from '../ledger/accounts.ts'
import { postTransaction } from '../ledger/post.server.ts'
import { charge } from './charge.ts'
import type { refund } from './refund.ts'

export type ChargeRow = RowOf<typeof charge>
export type RefundRow = RowOf<typeof refund>

/**
 * Locks a charge, and before it the invoice it pays. Lock order: invoice, charge, and last the customer, whose balance
 * every posting changes.
 */
export async function lockCharge(c: Context, id: number): Promise<ChargeRow> {
  const seen = await c.get(charge, id)
  if (seen && seen.invoice !== null) await c.lock(invoice, seen.invoice)
  return c.lock(charge, id)
}

/** Account of the money: with the payment service until the payout, or in the bank. */
const standsIn = ({ method }: Pick<ChargeRow, 'method'>) => (method === 'card' ? 'clearing' : 'bank')

interface Movement {
  readonly kind: TransactionKind
  readonly source: { readonly type: string; readonly id: number }
  /** Pence received; negative for money paid out. */
  readonly amount: number
  readonly words: string
  readonly day?: string
}

/**
 * Posts money of a charge against the customer's balance and updates the paid amount of the invoice. Returns the part
 * of the charge now applied to the invoice.
 */
export async function postChargeMovement(
  c: Context,
  row: ChargeRow,
  { kind, source, amount, words, day }: Movement,
): Promise<number> {
  const settled = amount > 0 ? await settle(c, row, amount) : await unsettle(c, row, -amount)
  await postTransaction(c, {
    kind,
    day: day ?? londonDate(c.now).toString(),
    description: words,
    currency: row.currency,
    customer: row.customer,
    source,
    entries: [
      { account: standsIn(row), amount },
      { account: 'receivable', amount: -amount, invoice: row.invoice },
    ],
  })
  return settled
}

export const postPaymentFee = (c: Context, row: ChargeRow, fee: number): Promise<void> =>
  postTransaction(c, {
    kind: 'fee',
    description: `Fee for payment ${row.id}`,
    currency: row.currency,
    customer: row.customer,
    source: { type: charge.type, id: row.id },
    entries: [
      { account: 'fees', amount: fee },
      { account: 'clearing', amount: -fee },
    ],
  })

/** Posts the fee of a dispute; negative for its refund. */
export const postDisputeFee = (c: Context, row: ChargeRow, more: number): Promise<void> =>
  postTransaction(c, {
    kind: more > 0 ? 'disputeFee' : 'disputeFeeBack',
    description: `Fee for the dispute of payment ${row.id}${more > 0 ? '' : ' refunded'}`,
    currency: row.currency,
    customer: row.customer,
    source: { type: charge.type, id: row.id },
    entries: [
      { account: 'fees', amount: more },
      { account: 'clearing', amount: -more },
    ],
  })

/** The invoice takes the amount due; the rest goes to the customer's credit. */
async function settle(c: Context, row: ChargeRow, amount: number): Promise<number> {
  if (row.invoice === null) return 0
  const owed = await c.lock(invoice, row.invoice)
  const part = owed.state === 'open' ? Math.min(amount, owed.amountDue) : 0
  if (part) await settleInvoice(c, owed, part)
  return row.amountSettled + part
}

/** Refunds come first from the part that paid no invoice. */
async function unsettle(c: Context, row: ChargeRow, amount: number): Promise<number> {
  if (row.invoice === null) return 0
  const free = row.amount - row.amountRefunded - row.amountSettled - (row.state === 'disputed' ? row.amountDisputed : 0)
  const part = Math.min(row.amountSettled, Math.max(0, amount - Math.max(0, free)))
  if (part) await reverseInvoicePayment(c, await c.lock(invoice, row.invoice), part)
  return row.amountSettled - part
}
