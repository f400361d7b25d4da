import { problem } from '#kernel/errors.ts'
import { choice, integer } from '#kernel/fields.ts'
import type { BillingInterval } from '#kernel/money/periods.ts'
import type { Currency } from '#kernel/money.ts'
import { iriOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { customer } from '../customers/customer.ts'
import { csvResponse, formatPoundsForCsv } from '../ledger/reports.server.ts'
import { describeBillingInterval } from '../lines/payment-words.ts'
import { INVOICING_PACK, STAFF_ROLE } from '../rights.ts'
import { renewableSubscriptionSql } from '../subscriptions/renewal.server.ts'
import { subscription } from '../subscriptions/subscription.ts'
import {
  calculateRenewalRisk,
  INACTIVE_CLIENT_DAYS,
  RECENT_FAILED_PAYMENT_DAYS,
  RENEWAL_DAYS_AHEAD,
  RENEWAL_RISK_BANDS,
  RENEWAL_RISK_SIGNS,
  RENEWAL_SORT_ORDERS,
  RENEWALS_URL,
  type RenewalRiskBand,
  type RenewalRiskSign,
  type RenewalTotal,
  renewalRiskBandFor,
  type UpcomingRenewal,
} from './risk.ts'

const PAGE = 100

/**
 * Renewals that are due, with the signs that a customer may not renew. Each sign is true or false. Signs that don't
 * depend on a date apply to all of the customer's subscriptions.
 */
const DUE = `SELECT s.id::int, s.customer_id::int AS customer, s.company, s.renews_on::text AS day, s.interval, s.interval_count AS count, s.currency,
    round(coalesce((SELECT sum(round(i.amount * i.quantity * (100 - coalesce(i.discount_percent, 0)) / 100)) FROM subscription_item i WHERE i.client_id = s.client_id AND i.subscription_id = s.id
      AND i.first_day <= s.renews_on AND (i.ends_on IS NULL OR i.ends_on > s.renews_on)), 0) * 12.0 / (CASE s.interval WHEN 'month' THEN 1 WHEN 'quarter' THEN 3 ELSE 12 END * s.interval_count))::bigint AS yearly,
    s.cancel_at_period_end AS ends,
    EXISTS (SELECT FROM invoice i WHERE i.client_id = s.client_id AND i.customer_id = s.customer_id AND i.state = 'open' AND i.due_on < $2::date) AS overdue,
    EXISTS (SELECT FROM charge h WHERE h.client_id = s.client_id AND h.customer_id = s.customer_id AND h.state = 'failed'
      AND h.created_at > $4::timestamptz - make_interval(days => ${RECENT_FAILED_PAYMENT_DAYS})) AS failed,
    EXISTS (SELECT FROM card d WHERE d.client_id = s.client_id AND d.customer_id = s.customer_id AND d.is_default AND NOT d.retired
      AND make_date(d.exp_year, d.exp_month, 1) + interval '1 month' <= s.renews_on) AS card,
    c.account_id IS NOT NULL AND NOT EXISTS (SELECT FROM user_account u WHERE u.client_id = c.account_id AND NOT u.is_retired
      AND u.last_login_at > $4::timestamptz - make_interval(days => ${INACTIVE_CLIENT_DAYS})) AS quiet
  FROM subscription s JOIN customer c ON c.client_id = s.client_id AND c.id = s.customer_id
  WHERE s.client_id = $1 AND ${renewableSubscriptionSql('s')} AND s.renews_on BETWEEN $2::date AND $3::date`

interface Due extends Readonly<Record<RenewalRiskSign, boolean>> {
  readonly id: number
  readonly customer: number
  readonly company: string
  readonly day: string
  readonly interval: BillingInterval
  readonly count: number
  readonly currency: Currency
  readonly yearly: string
}

const renewalOf = (row: Due): UpcomingRenewal => {
  const signs = RENEWAL_RISK_SIGNS.flatMap(({ sign }) => (row[sign] ? [sign] : []))
  const risk = calculateRenewalRisk(signs)
  return {
    '@id': iriOf(subscription, row.id),
    id: row.id,
    customer: iriOf(customer, row.customer),
    company: row.company,
    renewsOn: row.day,
    interval: row.interval,
    intervalCount: row.count,
    currency: row.currency,
    yearly: Number(row.yearly),
    risk,
    band: renewalRiskBandFor(risk),
    signs,
  }
}

type Comparison = (a: UpcomingRenewal, b: UpcomingRenewal) => number
const BY: Readonly<Record<string, Comparison>> = {
  risk: (a, b) => b.risk - a.risk,
  value: (a, b) => b.yearly - a.yearly,
  day: (a, b) => a.renewsOn.localeCompare(b.renewsOn),
}

const chosen = <V extends string>(
  c: RouteContext,
  name: string,
  of: readonly { readonly value: V }[],
): V | undefined => {
  const given = firstQueryValue(c.query[name])
  if (!given) return undefined
  const found = of.find(({ value }) => value === given)
  if (!found) throw problem.badRequest(`"${name}" must be one of: ${of.map(({ value }) => value).join(', ')}.`)
  return found.value
}

/**
 * Returns the renewals in the coming days, in the requested order. The totals cover all renewals; the rows cover one
 * risk level.
 */
async function read(c: RouteContext) {
  const today = londonDate(c.now)
  const [from, to] = [today.toString(), today.add({ days: RENEWAL_DAYS_AHEAD }).toString()]
  const found = await c.engine.db.tx('system', (tx) => tx.rows<Due>(DUE, [c.me.clientId, from, to, c.now.toString()]))
  const order = chosen(c, 'order', RENEWAL_SORT_ORDERS) ?? 'risk'
  const band = chosen(c, 'band', RENEWAL_RISK_BANDS)
  const all = found.map(renewalOf)
  const steps = [BY[order], BY.risk, BY.value, BY.day].flatMap((step) => step ?? [])
  const sorted = all.toSorted((a, b) => steps.map((step) => step(a, b)).find((n) => n !== 0) ?? a.id - b.id)
  return { from, to, sums: sumsOf(all), rows: band ? sorted.filter((row) => row.band === band) : sorted }
}

function sumsOf(all: readonly UpcomingRenewal[]): RenewalTotal[] {
  const place = (band: RenewalRiskBand) => RENEWAL_RISK_BANDS.findIndex((b) => b.value === band)
  return [...Map.groupBy(all, ({ currency, band }) => `${currency} ${band}`).values()]
    .flatMap((of) => {
      const [first] = of
      if (!first) return []
      const { currency, band } = first
      return [{ currency, band, subscriptions: of.length, yearly: of.reduce((sum, one) => sum + one.yearly, 0) }]
    })
    .toSorted((a, b) => a.currency.localeCompare(b.currency) || place(a.band) - place(b.band))
}

const wordsOf = ({ signs }: UpcomingRenewal) =>
  RENEWAL_RISK_SIGNS.flatMap(({ sign, words }) => (signs.includes(sign) ? [words] : [])).join('; ')

const HEAD = ['Customer', 'Renews on', 'Paid', 'Currency', 'Annual value', 'Risk', 'Why', 'Subscription']

const RENEWAL_PARAMETERS = {
  order: choice(RENEWAL_SORT_ORDERS, { help: 'Sort order; defaults to risk.' }),
  band: choice(RENEWAL_RISK_BANDS, { help: 'Lists only renewals with this risk.' }),
}

const renewalRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: RENEWALS_URL,
    title: `List subscriptions whose next period starts within ${RENEWAL_DAYS_AHEAD} days, by risk and value`,
    allow: STAFF_ROLE,
    query: {
      ...RENEWAL_PARAMETERS,
      page: integer({ help: `Page number, with ${PAGE} renewals per page; defaults to 1.` }),
    },
    handle: async (c) => {
      const { rows, ...rest } = await read(c)
      const page = Number(firstQueryValue(c.query.page) || 1)
      if (!Number.isInteger(page) || page < 1) throw problem.badRequest('"page" must be 1 or more.')
      return {
        '@id': RENEWALS_URL,
        '@type': 'Renewals',
        ...rest,
        total: rows.length,
        rows: rows.slice((page - 1) * PAGE, page * PAGE),
      }
    },
  },
  {
    method: 'GET',
    path: `${RENEWALS_URL}/export.csv`,
    title: 'Export all renewals',
    allow: STAFF_ROLE,
    query: RENEWAL_PARAMETERS,
    file: ['text/csv'],
    handle: async (c) => {
      const { from, to, rows } = await read(c)
      const lines = rows.map((row) => [
        row.company,
        formatIsoDateAsUk(row.renewsOn),
        describeBillingInterval(row.interval, row.intervalCount),
        row.currency,
        formatPoundsForCsv(row.yearly),
        String(row.risk),
        wordsOf(row),
        String(row.id),
      ])
      return csvResponse(`renewals ${from} to ${to}`, [HEAD, ...lines])
    },
  },
]

export const renewals = feature({
  pack: INVOICING_PACK,
  routes: renewalRoutes,
})
