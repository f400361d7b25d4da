import { problem, violation } from '#kernel/errors.ts'
import { iriOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { formatIsoDateAsUk, LONDON_TIME_ZONE } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { recordReceivedPayment } from '../payments/take-payment.server.ts'
import { bankLine } from './bank-line.ts'

export const bankLineBehaviour = behaviour(bankLine, {
  actions: {
    book: async (c) => {
      const { row, input } = c
      const isOther = input.invoice != null || input.customer != null
      if (!isOther && row.state !== 'proposed')
        throw problem.conflict('No match is proposed for this line. Choose the invoice or the customer.', 'wrong_state')
      const invoiceId = isOther ? (input.invoice ?? null) : row.invoice
      const paid = invoiceId === null ? undefined : await c.get(invoice, invoiceId)
      if (invoiceId !== null && !paid) throw problem.unknownTarget(iriOf(invoice, invoiceId))
      const who = paid?.customer ?? input.customer ?? null
      if (who !== null && !(await c.get(customer, who))) throw problem.unknownTarget(iriOf(customer, who))
      if (who === null) throw problem.invalid([violation('customer', 'Please choose the customer who paid')])
      if (paid && input.customer != null && input.customer !== paid.customer)
        throw problem.invalid([violation('invoice', 'This invoice belongs to another customer')])
      if (paid && paid.currency !== row.currency)
        throw problem.invalid([
          violation('invoice', `This invoice is in ${paid.currency}, but the payment is in ${row.currency}`),
        ])
      const made = await recordReceivedPayment(c, {
        customer: who,
        invoice: invoiceId,
        card: null,
        method: 'bank',
        amount: row.amount,
        amountDue: null,
        currency: row.currency,
        reference: row.reference.slice(0, 100),
        receivedAt: Temporal.PlainDate.from(row.day).toZonedDateTime(LONDON_TIME_ZONE).toInstant().toString(),
        notes: `From the bank statement of ${formatIsoDateAsUk(row.day)}${row.payer ? `, from ${row.payer}` : ''}`,
        // Each bank line is a separate payment, even if it looks like a repeat.
        keepBoth: true,
      })
      return {
        set: {
          state: 'booked' as const,
          customer: who,
          invoice: invoiceId,
          charge: made.id,
          decidedBy: authorOf(c.actor).username,
          decidedAt: c.now.toString(),
        },
      }
    },
  },
})
