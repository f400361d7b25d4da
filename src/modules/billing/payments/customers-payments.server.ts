import { problem } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import type { Context } from '#server/engine/types.ts'
import type { CustomersQuotes } from '../customers/customer.server.ts'
import { charge } from './charge.ts'
import { refund } from './refund.ts'

/** Throws 409 where money of a customer is on its way, to us or back to them. */
async function assertSettled(c: Context, id: number, before: string): Promise<void> {
  const [paying] = await c.find(charge, { customer: id, state: 'pending' })
  if (paying)
    throw problem.conflict(
      `A payment of ${formatMoney(paying.amount, paying.currency)} of this customer is under way. Wait for it before ${before}.`,
      'in_use',
    )
  const [back] = await c.find(refund, { customer: id, state: ['waiting', 'pending'] })
  if (back)
    throw problem.conflict(
      `A refund of ${formatMoney(back.amount, back.currency)} to this customer is not settled. Wait for it before ${before}.`,
      'in_use',
    )
}

/** What else is asked of a customer: nobody is retired whose money is on its way. */
export const withPayments = (of: CustomersQuotes): CustomersQuotes => ({
  ...of,
  mayRetire: async (c, id) => {
    await of.mayRetire(c, id)
    await assertSettled(c, id, 'the customer is retired')
  },
  mayChangeCurrency: async (c, id) => {
    await of.mayChangeCurrency(c, id)
    await assertSettled(c, id, 'the currency changes')
  },
})
