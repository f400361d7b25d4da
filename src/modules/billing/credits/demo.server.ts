import type { RowOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { plan, sku } from '../catalogue/plan.ts'
import { customer } from '../customers/customer.ts'
import { createInvoiceDraft, issueInvoice } from '../invoices/issue.server.ts'
import { payDemoInvoiceByTransfer } from '../invoices/settle.server.ts'
import { creditNote } from './credit-note.ts'

interface Story {
  /** Days since issue. */
  readonly ago: number
  /** Positions of the monthly plan and the SKU in the catalogue. */
  readonly plan: number
  readonly sku?: number
  /** Outcome: paid after this many days, partly credited, or still open if neither is set. */
  readonly paidAfter?: number
  readonly credited?: string
}

/** Invoices are issued in this order, so that their numbers follow their dates. */
const STORIES: readonly Story[] = [
  { ago: 62, plan: 0, sku: 0, paidAfter: 9 },
  { ago: 48, plan: 1, paidAfter: 14 },
  { ago: 41, plan: 3, sku: 5 },
  { ago: 33, plan: 0, paidAfter: 6 },
  { ago: 26, plan: 2, sku: 1, credited: 'One of the two was never delivered' },
  { ago: 12, plan: 1, sku: 2, paidAfter: 3 },
  { ago: 6, plan: 4, sku: 0 },
  { ago: 2, plan: 0 },
]

/** ID of the demo client in the construction industry, and its address. */
const BUILDER = 1
const YARD = { address1: '5 Furnace Hill', city: 'Sheffield', postcode: 'S3 7AF' }

/** Address for demo customers whose leads have none. */
const ADDRESS = { address1: '22 Station Road', city: 'Leeds', postcode: 'LS1 4DY' }

/** Open, paid, overdue and credited invoices, one for each of the first customers, and one draft. */
const invoicesPart: DemoDataPart = {
  name: 'invoices',
  needs: ['customers'],
  tell: async (engine) => {
    const customers = await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID }, (c) =>
      c.find(customer, { currency: 'GBP' }),
    )
    for (const [i, story] of STORIES.entries()) {
      const to = customers[i]
      if (to) await tellInvoice(engine, to, story)
    }
    // Creates an invoice to a client, so that the client's administrator has an invoice to pay.
    const client = customers.find((one) => one.client === BUILDER)
    if (client) await tellInvoice(engine, client, { ago: 1, plan: 1 }, YARD)
    const last = customers[STORIES.length]
    if (!last) return
    const sold = await soldTo(engine, last, { ago: 0, plan: 2, sku: 3 })
    await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID, username: 'staff' }, (c) =>
      createInvoiceDraft(c, { ...sold, customer: last.id }),
    )
  },
}

async function soldTo(engine: Engine, to: RowOf<typeof customer>, { plan: nth, sku: item, ago }: Story) {
  const from = londonDate(engine.clock.now()).subtract({ days: ago })
  return seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID }, async (c) => {
    const plans = await c.find(plan, { interval: 'month', currency: 'GBP' })
    const items = await c.find(sku, { currency: 'GBP' })
    const monthly = plans[nth % plans.length]
    const once = item === undefined ? undefined : items[item % items.length]
    return {
      currency: to.currency,
      origin: 'quote' as const,
      lines: [
        ...(monthly
          ? [
              {
                plan: monthly.id,
                description: monthly.name,
                quantity: 1,
                unitAmount: monthly.amount,
                period: { from, to: from.add({ months: 1 }) },
              },
            ]
          : []),
        ...(once ? [{ sku: once.id, description: once.name, quantity: 2, unitAmount: once.amount }] : []),
      ],
    }
  })
}

async function tellInvoice(
  engine: Engine,
  to: RowOf<typeof customer>,
  story: Story,
  address: typeof ADDRESS = ADDRESS,
): Promise<void> {
  const at = engine.clock.now().subtract({ hours: 24 * story.ago })
  const draft = await soldTo(engine, to, story)
  const issued = await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID, username: 'manager', at }, async (c) => {
    if (!to.address1) await c.change(customer, to.id, address)
    const made = await createInvoiceDraft(c, { ...draft, customer: to.id })
    // Sends no e-mail, because nobody would read it in the demo.
    return issueInvoice(c, made, { letter: false })
  })
  const { paidAfter, credited } = story
  if (paidAfter !== undefined && issued.amountDue > 0)
    await seedAsUser(
      engine,
      { clientId: PROVIDER_CLIENT_ID, username: 'manager', at: at.add({ hours: 24 * paidAfter }) },
      (c) => payDemoInvoiceByTransfer(c, issued),
    )
  const line = issued.lines.at(-1)
  if (credited && line)
    await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID, username: 'finance', at: at.add({ hours: 48 }) }, (c) =>
      c.create(creditNote, { invoice: issued.id, reason: credited, lines: [{ line: line.id, quantity: 1 }] }),
    )
}

export const seeds = [invoicesPart]
