import { problem } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import type { RowOf } from '#kernel/resource.ts'
import type { Context } from '#server/engine/types.ts'
import type { invoice } from '../invoices/invoice.ts'
import { charge } from './charge.ts'
import { queueRefund } from './refund.server.ts'

interface PaidBack {
  readonly note: { readonly number: string; readonly reason: string }
  readonly invoice: RowOf<typeof invoice>
  readonly pence: number
}

/**
 * Refunds a credit note to the payments of its invoice, latest first. Throws 409 if less can be refunded; then nothing
 * is credited either.
 */
export async function refundCreditNote(c: Context, { note, invoice: of, pence }: PaidBack): Promise<void> {
  let left = pence
  for (const one of (await c.find(charge, { invoice: of.id, state: 'succeeded' })).toReversed()) {
    const free = Math.min(one.amountSettled, one.amount - one.amountRefunded - one.amountRefunding)
    const amount = Math.min(left, free)
    if (amount <= 0) continue
    const reason = `Credit note ${note.number}: ${note.reason}`.slice(0, 500)
    await queueRefund(c, { charge: one.id, amount, reason, notes: '' })
    left -= amount
  }
  if (left > 0)
    throw problem.conflict(
      `${formatMoney(left, of.currency)} of this can’t be refunded: the payments of ${of.number} don’t cover it. Add it to the customer’s credit instead.`,
    )
}
