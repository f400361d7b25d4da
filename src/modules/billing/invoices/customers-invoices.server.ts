import { problem } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import type { CustomersQuotes } from '../customers/customer.server.ts'
import { invoice } from './invoice.ts'

/** What else is asked of a customer: nobody is retired who has invoices to pay. */
export const withInvoices = (of: CustomersQuotes): CustomersQuotes => ({
  ...of,
  mayRetire: async (c, id) => {
    await of.mayRetire(c, id)
    const [open] = await c.find(invoice, { customer: id, state: 'open' })
    if (open)
      throw problem.conflict(
        `${formatMoney(open.amountDue, open.currency)} of ${open.number} is still to pay. Settle, credit or write it off first.`,
      )
  },
  mayChangeCurrency: async (c, id) => {
    await of.mayChangeCurrency(c, id)
    const [open] = await c.find(invoice, { customer: id, state: ['open', 'draft'] })
    if (open)
      throw problem.conflict(
        `${open.number || 'A draft of an invoice'} of this customer is in ${open.currency}. ${open.state === 'draft' ? 'Issue or delete' : 'Settle, credit or write off'} it before the currency changes.`,
        'in_use',
      )
  },
})
