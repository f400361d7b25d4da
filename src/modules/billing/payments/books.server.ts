import type { RowOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import type { Context } from '#server/engine/types.ts'
import { invoice } from '../invoices/invoice.ts'
import { settleInvoice, unsettleInvoice } from '../invoices/settle.server.ts'
import type { TransactionKind } from '../ledger/accounts.ts'
import { post } from '../ledger/post.server.ts'
import { charge } from './charge.ts'
import type { refund } from './refund.ts'

export type ChargeRow = RowOf<typeof charge>
export type RefundRow = RowOf<typeof refund>

/**
 * A charge, kept from others, and before it the invoice that it pays: whoever changes several of them begins with the invoice, and comes to
 * the customer, whose balance every posting changes, last.
 */
export async function lockCharge(c: Context, id: number): Promise<ChargeRow> {
  const seen = await c.get(charge, id)
  if (seen && seen.invoice !== null) await c.lock(invoice, seen.invoice)
  return c.lock(charge, id)
}

/** Where money stands that came this way: with the payment service until it pays out, or in the bank. */
const standsIn = ({ method }: Pick<ChargeRow, 'method'>) => (method === 'card' ? 'clearing' : 'bank')

interface Movement {
  readonly kind: TransactionKind
  readonly source: { readonly type: string; readonly id: number }
  /** Pence that come in; below nil they go out. */
  readonly amount: number
  readonly words: string
  readonly day?: string
}

/**
 * Money of a charge comes in or goes out: posted against what the customer owes, and the invoice is paid so much more or less. Answers how
 * much of the charge is settled on the invoice then.
 */
export async function move(
  c: Context,
  row: ChargeRow,
  { kind, source, amount, words, day }: Movement,
): Promise<number> {
  const settled = amount > 0 ? await settle(c, row, amount) : await unsettle(c, row, -amount)
  await post(c, {
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

/** What the payment service keeps for itself. */
export const bookFee = (c: Context, row: ChargeRow, fee: number): Promise<void> =>
  post(c, {
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

/** What the payment service keeps for a dispute; below nil, what it gives back of that. */
export const bookDisputeFee = (c: Context, row: ChargeRow, more: number): Promise<void> =>
  post(c, {
    kind: more > 0 ? 'disputeFee' : 'disputeFeeBack',
    description: `Fee for the dispute of payment ${row.id}${more > 0 ? '' : ' given back'}`,
    currency: row.currency,
    customer: row.customer,
    source: { type: charge.type, id: row.id },
    entries: [
      { account: 'fees', amount: more },
      { account: 'clearing', amount: -more },
    ],
  })

/** The invoice takes what is still due; the rest is in the customer's credit. */
async function settle(c: Context, row: ChargeRow, amount: number): Promise<number> {
  if (row.invoice === null) return 0
  const owed = await c.lock(invoice, row.invoice)
  const part = owed.state === 'open' ? Math.min(amount, owed.amountDue) : 0
  if (part) await settleInvoice(c, owed, part)
  return row.amountSettled + part
}

/** What went out was first what no invoice was paid with. */
async function unsettle(c: Context, row: ChargeRow, amount: number): Promise<number> {
  if (row.invoice === null) return 0
  const free = row.amount - row.amountRefunded - row.amountSettled - (row.state === 'disputed' ? row.amountDisputed : 0)
  const part = Math.min(row.amountSettled, Math.max(0, amount - Math.max(0, free)))
  if (part) await unsettleInvoice(c, await c.lock(invoice, row.invoice), part)
  return row.amountSettled - part
}
