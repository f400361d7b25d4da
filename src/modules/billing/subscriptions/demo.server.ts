import { PROVIDER } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import type { DemoPart } from '#server/engine/initial-data.ts'
import type { Context } from '#server/engine/types.ts'
import { seedAs } from '#server/seed/seed-as.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { payByTransfer } from '../invoices/settle.server.ts'
import { type QuoteRow, quote, quoteStatusId } from '../quotes/quote.ts'
import { renewCustomers } from './renewal.server.ts'
import { billAcceptedQuote } from './sell.server.ts'

/** Accepted quotes waiting to be billed, from before invoicing was introduced. */
const WAITING = 2
const OWING = 3
/** Days after acceptance when quotes were first invoiced elsewhere. */
const ELSEWHERE_DAYS = 31

/** Sales of earlier weeks as subscriptions, renewed and mostly paid. No e-mails are sent in the demo. */
const demoSubscriptions: DemoPart = {
  name: 'subscriptions',
  needs: ['quotes', 'invoices'],
  tell: async (engine) => {
    const scene = { clientId: PROVIDER, username: 'manager' }
    const accepted = await seedAs(engine, scene, (c) => c.find(quote, { status: quoteStatusId('accepted') }))
    const sold = accepted.filter((q) => q.billedAt === null).slice(WAITING)
    for (const q of sold) await seedAs(engine, scene, (c) => convert(c, q))
    const customers = [...new Set(sold.map((q) => q.customer))]
    const failing = customers.length > OWING ? customers.at(-1) : undefined
    // Payment by card on the invoice date, if the card can be charged.
    if (failing !== undefined) await seedAs(engine, scene, (c) => c.change(customer, failing, { paymentDays: 0 }))
    for (const id of customers)
      await seedAs(engine, { clientId: PROVIDER }, (c) => renewCustomers(c, [id], { letter: false }))
    for (const id of customers.slice(OWING)) if (id !== failing) await seedAs(engine, scene, (c) => pay(c, id))
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
    await payByTransfer(c, one)
  }
}

export const seeds = [demoSubscriptions]
