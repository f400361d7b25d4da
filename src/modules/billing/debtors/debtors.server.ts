import { problem } from '#kernel/errors.ts'
import { choice, date, text } from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { londonDate } from '#kernel/time.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import type { Tx } from '#server/db/db.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { parseDateParameter } from '#server/engine/route.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { csvResponse, formatPoundsForCsv } from '../ledger/reports.server.ts'
import { FINANCE_ROLES, INVOICING_PACK } from '../rights.ts'
import { type AgedDebt, type AgedDebtor, ageDebts, DEBT_AGE_BANDS, DEBTORS_URL, sumDebtsByAge } from './ageing.ts'

/**
 * Customer account balances at the end of a day, by invoice. Amounts recorded without an invoice are grouped by date.
 */
const owedSql = (
  ofCustomer: string,
) => `SELECT e.customer_id::int AS customer, e.currency, e.invoice_id::int AS invoice, coalesce(i.number, '') AS number,
    coalesce(c.company_name, c.email) AS company, coalesce(i.due_on, min(e.day))::text AS "dueOn", sum(e.amount)::bigint AS amount
  FROM ledger_entry e JOIN customer c ON c.client_id = e.client_id AND c.id = e.customer_id
  LEFT JOIN invoice i ON i.client_id = e.client_id AND i.id = e.invoice_id
  WHERE e.client_id = $1 AND e.account = 'receivable' AND e.day <= $2::date
    ${ofCustomer}
  GROUP BY e.customer_id, e.currency, e.invoice_id, i.number, i.due_on, c.company_name, c.email, CASE WHEN e.invoice_id IS NULL THEN e.day END
  HAVING sum(e.amount) <> 0`

type DebtRow = Omit<AgedDebt, 'amount' | 'days' | 'age'> & { readonly amount: string }

const OWED = owedSql('')
// A separate SQL statement, so that the database can use the index of the customer's entries.
const OWED_BY_CUSTOMER = owedSql('AND e.customer_id = $3::int')

/** Returns the debts at the end of a day with their ages: those of one customer or, if `customer` is null, of all. */
export async function loadAgedDebts(
  tx: Tx,
  clientId: number,
  day: string,
  customer: number | null,
): Promise<AgedDebt[]> {
  const found = await (customer === null
    ? tx.rows<DebtRow>(OWED, [clientId, day])
    : tx.rows<DebtRow>(OWED_BY_CUSTOMER, [clientId, day, customer]))
  const owed = found.map((one) => ({ ...one, amount: Number(one.amount) }))
  return ageDebts(owed, day).map((one) => (one.invoice === null ? { ...one, number: '' } : one))
}

async function debtsOn(c: RouteContext): Promise<{ day: string; debts: AgedDebt[] }> {
  const day = parseDateParameter(c, 'day', londonDate(c.now).toString())
  const { clientId } = c.me
  return { day, debts: await c.engine.db.tx({ clientId }, (tx) => loadAgedDebts(tx, clientId, day, null)) }
}

const total = (of: readonly AgedDebt[]) => of.reduce((sum, { amount }) => sum + amount, 0)

/**
 * Returns a total for each customer and currency, sorted by currency and then by amount owed, largest first. Customers
 * with a balance of zero have no debts, so they are left out.
 */
function debtorsOf(debts: readonly AgedDebt[]): AgedDebtor[] {
  return [...Map.groupBy(debts, ({ customer, currency }) => `${customer} ${currency}`).values()]
    .flatMap((of) => {
      const [first] = of
      if (!first) return []
      const { customer, company, currency } = first
      return [{ customer, company, currency, ages: sumDebtsByAge(of), total: total(of) }]
    })
    .toSorted((a, b) => a.currency.localeCompare(b.currency) || b.total - a.total || a.company.localeCompare(b.company))
}

const sumsOf = (debts: readonly AgedDebt[]) =>
  CURRENCIES.flatMap((currency) => {
    const of = debts.filter((one) => one.currency === currency)
    return of.length ? [{ currency, ages: sumDebtsByAge(of), total: total(of) }] : []
  })

const HEAD = ['Customer', 'Customer number', 'Currency', ...DEBT_AGE_BANDS.map(({ label }) => label), 'Total']
const day = date({ help: 'Balances are as at the end of this day; defaults to today.' })

const debtorRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: DEBTORS_URL,
    title: 'List what customers owe at the end of a day, by days overdue',
    query: { day },
    allow: FINANCE_ROLES,
    handle: async (c) => {
      const { day: of, debts } = await debtsOn(c)
      return { '@id': DEBTORS_URL, '@type': 'AgedDebtors', day: of, rows: debtorsOf(debts), sums: sumsOf(debts) }
    },
  },
  {
    method: 'GET',
    path: `${DEBTORS_URL}/debts`,
    title: 'List the debts that make up an aged debtors total',
    query: {
      day,
      customer: text({ help: 'Customer number.' }),
      currency: choice(CURRENCIES),
      age: choice(DEBT_AGE_BANDS),
    },
    allow: FINANCE_ROLES,
    listOf: 'objects',
    handle: async (c) => {
      const asked = {
        customer: firstQueryValue(c.query.customer),
        currency: firstQueryValue(c.query.currency),
        age: firstQueryValue(c.query.age),
      }
      if (asked.age && !DEBT_AGE_BANDS.some(({ value }) => value === asked.age))
        throw problem.badRequest(`"age" must be one of: ${DEBT_AGE_BANDS.map(({ value }) => value).join(', ')}.`)
      const { debts } = await debtsOn(c)
      return hydraCollection(
        debts.filter((one) =>
          Object.entries(asked).every(([key, value]) => !value || String(one[key as keyof AgedDebt]) === value),
        ),
      )
    },
  },
  {
    method: 'GET',
    path: `${DEBTORS_URL}/export.csv`,
    title: 'Export the aged debtors',
    query: { day },
    allow: FINANCE_ROLES,
    file: ['text/csv'],
    handle: async (c) => {
      const { day: of, debts } = await debtsOn(c)
      const lines = debtorsOf(debts).map((row) => [
        row.company,
        String(row.customer),
        row.currency,
        ...DEBT_AGE_BANDS.map(({ value }) => formatPoundsForCsv(row.ages[value])),
        formatPoundsForCsv(row.total),
      ])
      return csvResponse(`aged debtors ${of}`, [HEAD, ...lines])
    },
  },
]

export const debtors = feature({
  pack: INVOICING_PACK,
  routes: debtorRoutes,
})
