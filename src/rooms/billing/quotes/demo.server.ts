import type { Currency } from '#kernel/money.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { now } from '#kernel/time.ts'
import { nextNumber } from '#server/data/sequences.ts'
import type { Tx } from '#server/db/db.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import { quoteTotals, type SumLine } from '../lines/sum.ts'
import type { QuoteState } from '../paper/state.ts'
import { quoteNumbers } from './quote.ts'
import { statusOf } from './status.ts'

interface Article {
  readonly id: number
  readonly name: string
  readonly amount: number
  readonly interval: SumLine['interval'] | null
}
interface Customer {
  readonly id: number
  readonly contact: number
  readonly company: string
  readonly email: string
  readonly person: string
  readonly staff: number
  readonly username: string
}

/** State, the days from today on which it was sent and on which it ends, plans and items by their place, and a coupon. */
const QUOTES: readonly {
  readonly state: QuoteState
  readonly sent?: number
  readonly until?: number
  readonly plans: readonly number[]
  readonly skus: readonly number[]
  readonly coupon?: string
  readonly reason?: string
  readonly extra?: readonly [string, number]
}[] = [
  { state: 'draft', plans: [0], skus: [2] },
  { state: 'draft', plans: [1, 3], skus: [], coupon: 'Welcome' },
  { state: 'open', sent: -2, until: 28, plans: [0, 2], skus: [0], coupon: 'Federation members' },
  { state: 'open', sent: -26, until: 4, plans: [1], skus: [1, 3] },
  { state: 'open', sent: -29, until: 1, plans: [4], skus: [], extra: ['Setting up the accounts of 40 people', 12_000] },
  { state: 'accepted', sent: -12, until: 18, plans: [0], skus: [0, 2], coupon: 'Welcome' },
  { state: 'accepted', sent: -40, until: -10, plans: [3], skus: [5] },
  {
    state: 'declined',
    sent: -20,
    until: 10,
    plans: [0, 2, 4],
    skus: [],
    reason: 'Staying with our consultant for another year.',
  },
  { state: 'expired', sent: -45, until: -15, plans: [2], skus: [4] },
  { state: 'cancelled', sent: -8, until: 22, plans: [1], skus: [], reason: 'Sent to the wrong branch.' },
]

/** Quotes in every state, for the invented customers. */
export async function quoteDemo(tx: Tx): Promise<void> {
  const customers = await tx.rows<Customer>(
    `SELECT c.id, c.contact_id AS contact, c.company_name AS company, c.email, c.contact_name AS person, s.id AS staff, s.username
     FROM customer c JOIN contact l ON l.client_id = c.client_id AND l.id = c.contact_id
     JOIN staff s ON s.client_id = 0 AND s.id = coalesce(l.owner_id, (SELECT id FROM staff WHERE client_id = 0 AND username = 'staff'))
     WHERE c.client_id = 0 ORDER BY c.id LIMIT ${QUOTES.length}`,
  )
  const articles = (table: string, interval: string) =>
    tx.rows<Article>(
      `SELECT id, name, amount::float8 AS amount, ${interval} AS interval FROM ${table} WHERE client_id = 0 ORDER BY id`,
    )
  const plans = (await articles('plan', '"interval"')).filter((p) => p.interval === 'month')
  const skus = await articles('sku', 'NULL')
  for (const [i, customer] of customers.entries())
    await add(tx, customer, QUOTES[i] as (typeof QUOTES)[number], plans, skus)
}

async function add(
  tx: Tx,
  to: Customer,
  q: (typeof QUOTES)[number],
  plans: readonly Article[],
  skus: readonly Article[],
): Promise<void> {
  const lines = [
    ...q.plans.map((n) => ({ kind: 'plan', article: plans[n % plans.length] as Article })),
    ...q.skus.map((n) => ({ kind: 'sku', article: skus[n % skus.length] as Article })),
    ...(q.extra
      ? [{ kind: 'additional', article: { id: 0, name: q.extra[0], amount: q.extra[1], interval: null } }]
      : []),
  ]
  const [terms] = q.coupon
    ? await tx.rows<CouponTerms & { id: number }>(
        `SELECT id, name, percent_off::float8 AS "percentOff", amount_off AS "amountOff", currency, duration, duration_periods AS "durationPeriods", plans
         FROM coupon WHERE client_id = 0 AND name = $1`,
        [q.coupon],
      )
    : []
  const { lines: _, ...totals } = quoteTotals({
    currency: 'GBP' as Currency,
    taxPercent: 20,
    lines: lines.map(
      ({ article }): SumLine => ({
        quantity: 1,
        unitAmount: article.amount,
        interval: article.interval,
        intervalCount: 1,
      }),
    ),
    coupon: terms ?? null,
  })
  const decided = ['accepted', 'declined', 'cancelled'].includes(q.state)
  const signature =
    q.state === 'accepted'
      ? {
          name: to.person,
          method: 'typed',
          strokes: [],
          width: 0,
          height: 0,
          at: new Date().toISOString(),
          address: '203.0.113.20',
        }
      : null
  const { number } = await nextNumber({ work: { tx, clientId: PROVIDER }, now: now() }, quoteNumbers)
  const [made] = await tx.rows<{ id: number }>(
    `INSERT INTO quote (client_id, number, customer_id, contact_id, coupon_id, company, status_id, tax_percent, owned_by, owner_id, created_by, email_to,
       terms, total, totals, coupon_terms, sent_at, expires_at, decided_at, decided_by, reason, signature, created_at)
     VALUES (0, $1, $2, $3, $4, $5, $6, 20, $7, $8, $7, $9, coalesce((SELECT terms FROM quote_settings WHERE client_id = 0), ''), $10, $11, $12,
       now() + make_interval(days => $13), date_trunc('day', now()) + make_interval(days => $14, hours => 23),
       CASE WHEN $15 THEN now() + make_interval(days => $13 + 2) END, $16, $17, $18, now() + make_interval(days => coalesce($13, 0))) RETURNING id`,
    [
      number,
      to.id,
      to.contact,
      terms?.id ?? null,
      to.company,
      statusOf(q.state),
      to.username,
      to.staff,
      to.email,
      totals.gross,
      JSON.stringify(totals),
      terms ? JSON.stringify(terms) : null,
      q.sent ?? null,
      q.until ?? null,
      decided,
      q.state === 'accepted' || q.state === 'declined' ? to.person : '',
      q.reason ?? '',
      signature ? JSON.stringify(signature) : null,
    ],
  )
  for (const [position, { kind, article }] of lines.entries())
    await tx.rows(
      `INSERT INTO quote_line (client_id, quote_id, kind, plan_id, sku_id, description, quantity, unit_amount, currency, "interval", interval_count, position)
       VALUES (0, $1, $2, $3, $4, $5, 1, $6, 'GBP', $7, $8, $9)`,
      [
        made?.id,
        kind,
        kind === 'plan' ? article.id : null,
        kind === 'sku' ? article.id : null,
        article.name,
        article.amount,
        article.interval,
        article.interval ? 1 : null,
        position,
      ],
    )
}
