import { problem } from '#kernel/errors.ts'
import type { Context } from '#server/engine/types.ts'
import { post } from '../ledger/post.server.ts'
import { returnStock } from '../stock/stock.server.ts'
import { deferredIncome } from './deferred-income.ts'
import { invoiceMoved, invoiceVoided } from './events.ts'
import { invoice } from './invoice.ts'
import type { InvoiceRow } from './lines.server.ts'
import { entriesOf } from './postings.server.ts'

const WHY = 'a void invoice leaves nothing in the books'

/** Takes an invoice back as a whole, while nothing has been paid or credited of it. Its number stays, and says so. */
export async function voidInvoice(c: Context, row: InvoiceRow, reason: string): Promise<void> {
  if (row.amountPaid || row.amountCredited)
    throw problem.conflict(
      `${row.number} has been ${row.amountPaid ? 'paid' : 'credited'} in part. Make a credit note for what is left of it.`,
      'wrong_state',
    )
  const right = c.withoutPermissionCheck(WHY)
  const held = await right.lockAll(deferredIncome, { invoice: row.id })
  const lines = row.lines.map((line) => {
    const later = held.find((one) => one.line === line.id)
    const { net, tax, taxCode, taxPercent, product } = line
    return { net, tax, taxCode, taxPercent, product, deferred: later ? later.net - later.earned : 0 }
  })
  await post(c, {
    kind: 'void',
    description: `Invoice ${row.number} void: ${reason}`.slice(0, 500),
    currency: row.currency,
    customer: row.customer,
    source: { type: invoice.type, id: row.id },
    entries: entriesOf(lines, row.id, -1),
  })
  for (const one of held) await right.set(deferredIncome, one, { net: 0, earned: 0 }, 'void')
  await c.emit(invoiceMoved, { invoice: row.id })
  await returnStock(c, row)
  if (row.sentAt) await c.emit(invoiceVoided, { invoice: row.id })
}
