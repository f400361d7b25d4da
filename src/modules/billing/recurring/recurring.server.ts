import { problem } from '#kernel/errors.ts'
import { choice, date, flag, text } from '#kernel/fields.ts'
import type { BillingInterval } from '#kernel/money/periods.ts'
import { CURRENCIES, type Currency } from '#kernel/money.ts'
import { londonDate } from '#kernel/time.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { parseDateRange } from '#server/engine/route.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { csvResponse, formatPoundsForCsv } from '../ledger/reports.server.ts'
import { FINANCE_ROLES, INVOICING_PACK } from '../rights.ts'
import {
  countReportMonths,
  type EndedSubscription,
  filterChangesByMovement,
  listReportMonths,
  monthlyShareInPence,
  type NamedRevenueChange,
  RECURRING_REVENUE_URL,
  REVENUE_MOVEMENTS,
  type RecurringRevenueReport,
  type RecurringRevenueRow,
  type RecurringRevenueSpan,
  type RevenueChange,
  revenueChangesBetween,
  sumCancelledRevenue,
  sumRevenueMovements,
} from './mrr.ts'

/** Default and maximum number of months in the report. */
const USUAL_MONTHS = 12
const MAX_MONTHS = 120

/** All recurring items up to the last day of the report. Items count from the first charged day. */
const SPANS = `SELECT s.customer_id::int AS customer, s.id::int AS subscription, i.product_id::int AS product, s.currency, s.interval, s.interval_count AS count,
    i.amount, i.quantity, i.discount_percent, s.ended_on::text AS ended, s.cancel_reason AS reason, greatest(i.first_day, s.charged_from)::text AS "from", i.ends_on::text AS until
  FROM subscription s JOIN subscription_item i ON i.client_id = s.client_id AND i.subscription_id = s.id
  WHERE s.client_id = $1 AND i.first_day <= $2::date AND (i.ends_on IS NULL OR i.ends_on > greatest(i.first_day, s.charged_from))`

interface RecurringSpanRow extends Omit<RecurringRevenueSpan, 'monthly'>, EndedSubscription {
  readonly interval: BillingInterval
  readonly count: number
  readonly amount: string
  readonly quantity: number
  readonly discount_percent: string | null
}

const PRODUCT_NAMES = `SELECT id::int, name FROM product WHERE client_id = $1`
const COMPANIES = `SELECT id::int, coalesce(company_name, email) AS company FROM customer WHERE client_id = $1 AND id = ANY($2::bigint[])`

async function spansOf(c: RouteContext, last: string) {
  const { clientId } = c.me
  return c.engine.db.tx({ clientId }, async (tx) => {
    const found = await tx.rows<RecurringSpanRow>(SPANS, [clientId, last])
    const names = await tx.rows<{ id: number; name: string }>(PRODUCT_NAMES, [clientId])
    return {
      spans: found.map(
        ({
          interval,
          count,
          amount,
          quantity,
          discount_percent: off,
          ...span
        }): RecurringRevenueSpan & EndedSubscription => ({
          ...span,
          monthly: monthlyShareInPence(
            { amount: Number(amount), quantity, discountPercent: Number(off) },
            interval,
            count,
          ),
        }),
      ),
      names: new Map<number | null, string>(names.map(({ id, name }) => [id, name])),
    }
  })
}

const NO_PRODUCT = 'No product'

/**
 * Returns the revenue and movements by month and currency, for all products together and, if requested, for each
 * product.
 */
async function report(c: RouteContext, byProduct: boolean): Promise<RecurringRevenueReport> {
  const today = londonDate(c.now)
  const usual = today.with({ day: 1 }).subtract({ months: USUAL_MONTHS - 1 })
  const { from, to } = parseDateRange(c, { from: usual.toString(), to: today.toString() })
  if (countReportMonths(from, to, today.toString()) > MAX_MONTHS)
    throw problem.badRequest('Choose a period of at most ten years.')
  const months = listReportMonths(from, to, today.toString())
  const { spans, names } = await spansOf(c, to)
  const rows = months.flatMap(({ month, before, after }) => {
    const changes = revenueChangesBetween(spans, before, after)
    return CURRENCIES.flatMap((currency): RecurringRevenueRow[] => {
      const own = changes.filter((one) => one.currency === currency)
      if (!own.length) return []
      const products = byProduct ? [...Map.groupBy(own, ({ product }) => product)] : []
      return [
        { month, currency, product: null, name: null, moves: sumRevenueMovements(own) },
        ...products
          .map(([product, of]) => ({
            month,
            currency,
            product,
            name: names.get(product) ?? NO_PRODUCT,
            moves: sumRevenueMovements(of),
          }))
          .toSorted((a, b) => a.name.localeCompare(b.name)),
      ]
    })
  })
  const [start, end] = [months.at(0)?.month, months.at(-1)?.after]
  return { from, to, rows, cancelled: start && end ? sumCancelledRevenue(spans, `${start}-01`, end) : [] }
}

async function changes(c: RouteContext): Promise<NamedRevenueChange[]> {
  const [month, move] = [firstQueryValue(c.query.month) ?? '', firstQueryValue(c.query.move)]
  const [currency, product] = [
    firstQueryValue(c.query.currency) as Currency | undefined,
    firstQueryValue(c.query.product),
  ]
  const kind = REVENUE_MOVEMENTS.find(({ value }) => value === move)?.value
  if (!kind)
    throw problem.badRequest(`"move" must be one of: ${REVENUE_MOVEMENTS.map(({ value }) => value).join(', ')}.`)
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw problem.badRequest('"month" must be a month such as 2026-11.')
  const [days] = listReportMonths(`${month}-01`, `${month}-01`, londonDate(c.now).toString())
  if (!days) return []
  const { spans, names } = await spansOf(c, days.after)
  const isAsked = (one: RevenueChange) =>
    (!currency || one.currency === currency) && (!product || String(one.product ?? 'none') === product)
  const found = filterChangesByMovement(revenueChangesBetween(spans, days.before, days.after), kind).filter(isAsked)
  const { clientId } = c.me
  const companies = await c.engine.db.tx({ clientId }, (tx) =>
    tx.rows<{ id: number; company: string }>(COMPANIES, [clientId, [...new Set(found.map((one) => one.customer))]]),
  )
  const companyOf = new Map(companies.map(({ id, company }) => [id, company]))
  const size = (one: RevenueChange) =>
    Math.abs(kind === 'start' ? one.before : kind === 'end' ? one.after : one.after - one.before)
  return found
    .toSorted((a, b) => size(b) - size(a) || a.customer - b.customer)
    .map((one) => ({
      ...one,
      company: companyOf.get(one.customer) ?? '',
      name: names.get(one.product) ?? NO_PRODUCT,
    }))
}

const PERIOD = {
  from: date({ help: 'Any day in the first month; defaults to eleven months before the current month.' }),
  to: date({ help: 'Any day in the last month; defaults to today.' }),
}
const HEAD = ['Month', 'Currency', 'Product', ...REVENUE_MOVEMENTS.map(({ label }) => label)]

const recurringRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: RECURRING_REVENUE_URL,
    title: 'Get monthly recurring revenue for each month, with new revenue, expansion, contraction and churn',
    query: { ...PERIOD, products: flag({ help: 'Includes each product separately.' }) },
    allow: FINANCE_ROLES,
    handle: async (c) => ({
      '@id': RECURRING_REVENUE_URL,
      '@type': 'RecurringRevenue',
      ...(await report(c, firstQueryValue(c.query.products) === 'true')),
    }),
  },
  {
    method: 'GET',
    path: `${RECURRING_REVENUE_URL}/changes`,
    title: 'List the customers and products that make up a figure',
    query: {
      month: text({ help: '2026-11' }),
      move: choice(REVENUE_MOVEMENTS),
      currency: choice(CURRENCIES),
      product: text({ help: 'Product ID, or `none` for revenue without a product.' }),
    },
    allow: FINANCE_ROLES,
    listOf: 'objects',
    handle: async (c) => hydraCollection(await changes(c)),
  },
  {
    method: 'GET',
    path: `${RECURRING_REVENUE_URL}/export.csv`,
    title: 'Export monthly recurring revenue by product',
    query: PERIOD,
    allow: FINANCE_ROLES,
    file: ['text/csv'],
    handle: async (c) => {
      const { from, to, rows } = await report(c, true)
      const lines = rows.map(({ month, currency, name, moves }) => [
        month,
        currency,
        name ?? 'All products',
        ...REVENUE_MOVEMENTS.map(({ value }) => formatPoundsForCsv(moves[value])),
      ])
      return csvResponse(`recurring revenue ${from} to ${to}`, [HEAD, ...lines])
    },
  },
]

export const recurringRevenue = feature({
  pack: INVOICING_PACK,
  routes: recurringRoutes,
})
