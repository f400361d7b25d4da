import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Context } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { payDemoInvoiceByTransfer } from '../invoices/settle.server.ts'
import { type QuoteRow, quote, quoteStatusId } from '../quotes/quote.ts'
import { renewCustomerSubscriptions } from './renewal.server.ts'
import { billAcceptedQuote } from './sell.server.ts'

/** Number of accepted quotes waiting to be billed, because they date from before invoicing was introduced. */
const WAITING = 2
const OWING = 3
/** Demo quotes accepted more than this many days ago are treated as already invoiced in another system. */
const ELSEWHERE_DAYS = 31

/** Subscriptions from sales in earlier weeks, renewed and mostly paid. No e-mails are sent in the demo. */
const demoSubscriptions: DemoDataPart = {
  name: 'subscriptions',
  needs: ['quotes', 'invoices'],
  tell: async (engine) => {
    const scene = { clientId: PROVIDER_CLIENT_ID, username: 'manager' }
    const accepted = await seedAsUser(engine, scene, (c) => c.find(quote, { status: quoteStatusId('accepted') }))
    const sold = accepted.filter((q) => q.billedAt === null).slice(WAITING)
    for (const q of sold) await seedAsUser(engine, scene, (c) => convert(c, q))
    const customers = [...new Set(sold.map((q) => q.customer))]
    const failing = customers.length > OWING ? customers.at(-1) : undefined
    // This customer pays by card on the invoice date, if the card can be charged.
    if (failing !== undefined) await seedAsUser(engine, scene, (c) => c.change(customer, failing, { paymentDays: 0 }))
    for (const id of customers)
      await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID }, (c) =>
        renewCustomerSubscriptions(c, [id], { letter: false }),
      )
    for (const id of customers.slice(OWING)) if (id !== failing) await seedAsUser(engine, scene, (c) => pay(c, id))
  },
}

async function convert(c: Context, q: QuoteRow): Promise<void> {
  const start = londonDate(Temporal.Instant.from(q.decidedAt ?? q.createdAt))
  const ago = start.until(londonDate(c.now), { largestUnit: 'days' }).days
  await billAcceptedQuote(c, q, {
    start: start.toString(),
    invoiced: ago > ELSEWHERE_DAYS,
    poNumber: '',
    letter: false,
  })
  await c.set(quote, q, { billedAt: c.now.toString() }, 'convert')
}

/** Pays the customer's open invoices by bank transfer. */
async function pay(c: Context, id: number): Promise<void> {
  for (const one of await c.find(invoice, { customer: id, state: 'open', origin: ['quote', 'subscription'] })) {
    await payDemoInvoiceByTransfer(c, one)
  }
}

export const seeds = [demoSubscriptions]
