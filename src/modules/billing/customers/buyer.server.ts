import { type Violation, violation } from '#kernel/errors.ts'
import type { Context } from '#server/engine/types.ts'
import { lockBuyer } from '../ledger/ledger.server.ts'
import type { QuoteValues } from '../quotes/quote.ts'

/**
 * Returns the reasons why nothing can be sold to the customer, for example because the customer is retired or is billed
 * in another currency. Locks the customer, so that neither changes before the sale is saved. The locks are taken in this
 * order: quotes, customer, coupon.
 */
export async function findBuyerProblems(
  c: Context,
  quote: Pick<QuoteValues, 'customer' | 'currency'>,
): Promise<Violation[]> {
  if (typeof quote.customer !== 'number') return []
  const buyer = await lockBuyer(c, quote.customer, 'sell to a customer')
  if (!buyer) return []
  if (buyer.retired)
    return [violation('customer', 'This customer is retired. Restore the customer before creating a quote')]
  return quote.currency === buyer.currency
    ? []
    : [
        violation(
          'currency',
          `This customer is billed in ${buyer.currency}. Create the quote in ${buyer.currency}, or change the customer’s currency first`,
        ),
      ]
}
