import { problem } from '#kernel/errors.ts'
import { text } from '#kernel/fields.ts'
import { calculateLineAmount } from '#kernel/money-totals.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import { plan, sku } from '#modules/billing/catalogue/plan.ts'
import { insuranceSale, insuranceSold } from '#modules/billing/customers/insurance-sale.ts'
import { quoteAccepted } from '#modules/billing/quotes/events.ts'
import { quote } from '#modules/billing/quotes/quote.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { SELLER_ROLE } from '../rights.ts'
import { countedSale } from './counted-sale.ts'

type Sale = RowOf<typeof countedSale>
type Sold = Pick<Sale, 'id' | 'day' | 'contact' | 'product' | 'retired'>
type Values = ValuesOf<typeof countedSale>

/** Days before and after the renewal date within which a sale of the same product is treated as the renewal. */
const AROUND = 90
const RENEWAL_REASON = 'a sale renews an earlier sale'
const OPEN = { renewal: 'open', renewedBy: null, renewalReason: '' } as const

/**
 * Returns true if one sale renews another. Both must have the same lead and, if both have a product, the same product.
 * The new sale must be later than the other, not retired, and within 90 days of the renewal date.
 */
function renews(former: Pick<Sale, 'id' | 'day' | 'contact' | 'product' | 'renewsOn'>, sold: Sold): boolean {
  if (sold.retired || former.renewsOn === null || former.id === sold.id || former.day >= sold.day) return false
  if (former.contact === null || former.contact !== sold.contact) return false
  if (former.product !== null && sold.product !== null && former.product !== sold.product) return false
  const day = Temporal.PlainDate.from(sold.day)
  return Math.abs(Temporal.PlainDate.from(former.renewsOn).until(day).days) <= AROUND
}

/**
 * Marks the lead's earlier sales as renewed if this sale renews them. Reopens their renewals if this sale no longer
 * does.
 */
export async function updateRenewals(c: Context, sold: Sold): Promise<void> {
  const right = c.withoutPermissionCheck(RENEWAL_REASON)
  const change = async (id: number, values: Values) =>
    right.set(countedSale, await right.lock(countedSale, id), values, 'renew')
  for (const former of await right.find(countedSale, { renewedBy: sold.id }))
    if (!renews(former, sold)) await change(former.id, OPEN)
  if (sold.retired || sold.contact === null) return
  for (const former of await right.find(countedSale, {
    contact: sold.contact,
    renewal: ['open', 'lost'],
    retired: false,
  }))
    if (renews(former, sold)) await change(former.id, { renewal: 'renewed', renewedBy: sold.id, renewalReason: '' })
}

/**
 * Returns the values that mark a sale's renewal as lost, because the customer does not renew. Throws 409 if the sale
 * has no open renewal.
 */
export function lostRenewalValues(row: Sale, reason: string): Values {
  if (row.retired || row.renewal !== 'open') throw problem.conflict('This sale has no open renewal.')
  return { renewal: 'lost', renewalReason: reason }
}

/** Returns the values that reopen a lost renewal. Throws 409 if the renewal is not lost. */
export function reopenedRenewalValues(row: Sale): Values {
  if (row.renewal !== 'lost') throw problem.conflict('This sale is not marked as “Not renewed”.')
  return OPEN
}

const { day, seller, amount, currency, what, product, contact, company, sale, notes } = countedSale.fields
const input = { day, seller, amount, currency, what, product, contact, company, sale, notes }

/**
 * Routes for counted sales under the sales service's URLs, with the same records and rules as the resource's own
 * routes.
 */
const saleRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/sales/sales/create',
    title: 'Enter a sale manually; for a deal that has already been counted, the existing sale is returned',
    allow: SELLER_ROLE,
    input,
    handle: async (c) => {
      const named = typeof c.body.sale === 'string' || typeof c.body.sale === 'number' ? String(c.body.sale) : ''
      const query = { sale: named, retired: 'false' }
      const known = named
        ? (await c.engine.list(countedSale, c.me, query, { limit: 1, offset: 0 }, { count: false })).members[0]
        : undefined
      if (known) return new RouteResponse(200, { ...known }, { location: iriOf(countedSale, known.id) })
      const answer = (made: { readonly '@id': string }) =>
        new RouteResponse(201, { ...made }, { location: made['@id'] })
      return answer(await c.engine.create(countedSale, c.body, c.change(answer)))
    },
  },
  {
    method: 'PUT',
    path: '/api/sales/sales_stats/update/{id}',
    title: 'Change a counted sale',
    allow: SELLER_ROLE,
    input,
    refuses: [403, 409],
    handle: async (c) => {
      const id = await c.engine.idOf(countedSale, c.me, c.params.id)
      return c.engine.update(countedSale, id, c.body, c.change())
    },
  },
  {
    method: 'DELETE',
    path: '/api/sales/sales_stats/delete/{id}',
    title: 'Remove a sale from the figures; its commission is clawed back',
    allow: SELLER_ROLE,
    query: { reason: text({ help: 'Reason, shown with the clawback in the seller’s list of commission.' }) },
    refuses: [403, 409],
    handle: async (c) => {
      const id = await c.engine.idOf(countedSale, c.me, c.params.id)
      const reason = firstQueryValue(c.query.reason) || 'Deleted'
      const gone = () => new RouteResponse(204)
      await c.engine.act(countedSale, 'retire', id, { reason }, c.change(gone))
      return gone()
    },
  },
]

const COUNTING_REASON = 'accepted quotes and insurance sales are counted'
const MAX_DESCRIPTION_LENGTH = 200

/** Counts an accepted quote as a sale by the quote's owner. The amount is the first payment, excluding VAT. */
const countQuote = eventHandler(quoteAccepted, {
  name: 'sales.count-quote',
  queue: 'events',
  run: async (c, accepted) => {
    const row = await c.lock(quote, accepted.quote)
    await countAcceptedQuoteAsSale(c, row, accepted.acceptedAt)
  },
})

/** Counts an accepted quote as a sale, unless it has already been counted. */
export async function countAcceptedQuoteAsSale(
  c: Context,
  row: RowOf<typeof quote>,
  acceptedAt: string,
): Promise<void> {
  if (await c.exists(countedSale, { quote: row.id })) return
  const day = londonDate(Temporal.Instant.from(acceptedAt))
  const lines = [...row.plans, ...row.skus, ...row.additionalItems]
  await c.withoutPermissionCheck(COUNTING_REASON).create(countedSale, {
    source: 'quote',
    quote: row.id,
    day: day.toString(),
    seller: row.owner,
    amount: Math.max(0, row.totals.net),
    currency: row.currency,
    what: [row.reference, ...lines.map((line) => line.description)].join(', ').slice(0, MAX_DESCRIPTION_LENGTH),
    product: await productOf(c, row),
    contact: row.contact,
    company: row.company,
    renewsOn: renewalOf(row, day)?.toString() ?? null,
  })
}

/** Returns the product of the quote's most expensive plan or SKU line; null if there is none. */
async function productOf(c: Context, { plans, skus }: RowOf<typeof quote>): Promise<number | null> {
  const [most] = [...plans, ...skus].sort((a, b) => calculateLineAmount(b) - calculateLineAmount(a))
  const of = most?.plan != null ? await c.get(plan, most.plan) : most?.sku != null ? await c.get(sku, most.sku) : null
  return of?.product ?? null
}

/**
 * Returns the earliest end date of the yearly plans, or undefined if there are none. Monthly plans are ignored, because
 * they renew automatically.
 */
function renewalOf({ plans }: RowOf<typeof quote>, from: Temporal.PlainDate): Temporal.PlainDate | undefined {
  return plans
    .filter((line) => line.interval === 'year')
    .map((line) => from.add({ years: line.intervalCount ?? 1 }))
    .sort((a, b) => Temporal.PlainDate.compare(a, b))[0]
}

/** Counts sold insurance as a sale by the person who entered it. */
const countInsurance = eventHandler(insuranceSold, {
  name: 'sales.count-insurance',
  queue: 'events',
  run: async (c, sold) => {
    const row = await c.lock(insuranceSale, sold.insurance)
    if (await c.exists(countedSale, { insuranceSale: row.id })) return
    const values: ValuesOf<typeof countedSale> = {
      source: 'insurance',
      insuranceSale: row.id,
      day: londonDate(Temporal.Instant.from(row.createdAt)).toString(),
      seller: sold.seller,
      amount: Math.round(row.price * 100),
      currency: row.currency,
      what: `${row.policyType} insurance`,
      contact: row.contact,
    }
    await c.withoutPermissionCheck(COUNTING_REASON).create(countedSale, values)
  },
})

/** Adds the sales counted since the last run to the running totals. */
const foldSalesSchedule = schedule({
  name: 'sales.fold',
  every: { minutes: 1 },
  run: (engine) => engine.db.tx('system', async (tx) => void (await tx.rows('SELECT fold_work()'))),
})

const saleHandlers = [countQuote, countInsurance]

export const countedSalesFeature = feature({
  resources: [countedSale],
  routes: saleRoutes,
  handlers: saleHandlers,
  schedules: [foldSalesSchedule],
})
