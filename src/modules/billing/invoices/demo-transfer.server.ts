import type { Context } from '#server/engine/types.ts'
import { postTransaction } from '../ledger/post.server.ts'
import type { InvoiceRow } from './lines.server.ts'
import { settleInvoice } from './settle.server.ts'

/** Pays the amount due on a demo invoice by bank transfer. */
export async function payByTransfer(c: Context, of: InvoiceRow): Promise<void> {
  await postTransaction(c, {
    kind: 'payment',
    description: `Bank transfer for ${of.number}`,
    currency: of.currency,
    customer: of.customer,
    source: { type: 'Bank transfer', id: of.id },
    entries: [
      { account: 'bank', amount: of.amountDue, invoice: of.id },
      { account: 'receivable', amount: -of.amountDue, invoice: of.id },
    ],
  })
  await settleInvoice(c, of, of.amountDue)
}
