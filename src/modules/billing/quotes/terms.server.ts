import { isEmail } from '#kernel/email.ts'
import { type Violation, violation } from '#kernel/errors.ts'
import { type Instant, londonDate } from '#kernel/time.ts'
import type { Context } from '#server/engine/types.ts'
import { customer } from '../customers/customer.ts'
import type { QuoteValues } from './quote.ts'

/** Maximum days a quote can be open. */
const FURTHEST_DAYS = 365
const FURTHEST_START_YEARS = 2

export const isBeyondMaxExpiry = (at: string, now: Instant): boolean =>
  Date.parse(at) > now.add({ hours: 24 * FURTHEST_DAYS }).epochMilliseconds

export const EXPIRY_TOO_LATE = 'Please choose a date within a year'

/** Problems with the dates and the e-mail address of a quote. */
export function quoteTermProblems({ expiresAt, billingCycleAnchor, emailTo }: QuoteValues, now: Instant): Violation[] {
  const wrong: Violation[] = []
  if (expiresAt && isBeyondMaxExpiry(expiresAt, now)) wrong.push(violation('expiresAt', EXPIRY_TOO_LATE))
  if (typeof billingCycleAnchor === 'number') {
    const day = londonDate(Temporal.Instant.fromEpochMilliseconds(billingCycleAnchor * 1000))
    const today = londonDate(now)
    if (Temporal.PlainDate.compare(day, today) < 0)
      wrong.push(violation('billingCycleAnchor', 'Billing can’t start before today'))
    else if (Temporal.PlainDate.compare(day, today.add({ years: FURTHEST_START_YEARS })) > 0)
      wrong.push(violation('billingCycleAnchor', `Choose a start of billing within ${FURTHEST_START_YEARS} years`))
  }
  if (emailTo && !isEmail(emailTo)) wrong.push(violation('emailTo', EMAIL_MISSING))
  return wrong
}

export const EMAIL_MISSING = 'Please enter the e-mail address to send the quote to'

/** Reasons why the customer can't be sold to: retired, or billed in another currency. */
export async function findBuyerProblems(
  c: Pick<Context, 'get'>,
  quote: Pick<QuoteValues, 'customer' | 'currency'>,
): Promise<Violation[]> {
  const buyer = typeof quote.customer === 'number' ? await c.get(customer, quote.customer) : undefined
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
