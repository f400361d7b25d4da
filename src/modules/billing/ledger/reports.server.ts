import { date } from '#kernel/fields.ts'
import { TAX_CODE_OPTIONS, TAX_CODES, type TaxCode } from '#kernel/money/tax-codes.ts'
import { iriOf } from '#kernel/resource.ts'
import { quoteCsvCell } from '#kernel/text.ts'
import { londonDate } from '#kernel/time.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { parseDateParameter, parseDateRange, RouteResponse } from '#server/engine/route.ts'
import { customer } from '../customers/customer.ts'
import { FINANCE_ROLES } from '../rights.ts'
import {
  type AccountBalance,
  DEPOSITS_URL,
  type Deposit,
  LEDGER_ACCOUNTS,
  LEDGER_BALANCES_URL,
  type LedgerAccountName,
  VAT_REPORT_URL,
  type VatReportLine,
} from './ledger.ts'

const NUMBER = /^-?\d+[.]\d\d$/
const cell = (value: string) => (NUMBER.test(value) ? value : quoteCsvCell(value))

/** Returns a CSV response with the headings first. Cells that would run as formulas are escaped. */
export const csvResponse = (name: string, rows: readonly (readonly string[])[]): RouteResponse =>
  new RouteResponse(200, rows.map((row) => `${row.map(cell).join(',')}\r\n`).join(''), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}.csv"`,
  })

const size = (pence: bigint) => `${pence / 100n}.${String(pence % 100n).padStart(2, '0')}`

/** Formats pence as pounds for CSV files, such as `-1234.50`. */
export const formatPoundsForCsv = (pence: number | bigint): string => {
  const amount = BigInt(pence)
  return amount < 0n ? `-${size(-amount)}` : size(amount)
}

const accountOf = (name: LedgerAccountName) => LEDGER_ACCOUNTS.find((a) => a.value === name) ?? LEDGER_ACCOUNTS[0]

/** Parses a period, which by default is this month up to today. */
export const parsePeriod = (c: RouteContext) => {
  const today = londonDate(c.now)
  return parseDateRange(c, { from: today.with({ day: 1 }).toString(), to: today.toString() })
}

const rowsOf = <R extends object>(c: RouteContext, sql: string, values: readonly unknown[]) =>
  c.engine.db.tx({ clientId: c.me.clientId }, (tx) => tx.rows<R>(sql, [c.me.clientId, ...values]))

const BALANCES = `SELECT account, currency, sum(amount) AS sum FROM ledger_entry WHERE client_id = $1 AND day <= $2 GROUP BY account, currency`

export async function loadBalances(c: RouteContext) {
  const day = parseDateParameter(c, 'day', londonDate(c.now).toString())
  const found = await rowsOf<{ account: LedgerAccountName; currency: string; sum: string }>(c, BALANCES, [day])
  const place = ({ account }: { account: LedgerAccountName }) => LEDGER_ACCOUNTS.findIndex((a) => a.value === account)
  const accounts = found
    .toSorted((a, b) => a.currency.localeCompare(b.currency) || place(a) - place(b))
    .map(({ account, currency, sum }): AccountBalance => {
      const { label, nominal } = accountOf(account)
      const amount = Number(sum)
      return { account, label, nominal, currency, debit: Math.max(amount, 0), credit: Math.max(-amount, 0) }
    })
  return { '@id': LEDGER_BALANCES_URL, '@type': 'LedgerBalances', day, accounts }
}

/**
 * Payments without an invoice that put the customer in credit. The amount is the part that exceeded the debt at the
 * time.
 */
const DEPOSITS = `WITH paid AS (
    SELECT e.id, e.customer_id FROM ledger_entry e JOIN ledger_transaction t ON t.client_id = e.client_id AND t.id = e.transaction_id
    WHERE e.client_id = $1 AND e.day BETWEEN $2 AND $3 AND t.kind = 'payment' AND e.account = 'receivable' AND e.invoice_id IS NULL AND e.amount < 0),
  moved AS (
    SELECT e.id, e.day, e.customer_id, e.currency, e.amount, sum(e.amount) OVER (PARTITION BY e.customer_id, e.currency ORDER BY e.id) AS balance
    FROM ledger_entry e WHERE e.client_id = $1 AND e.account = 'receivable' AND e.customer_id IN (SELECT customer_id FROM paid))
  SELECT m.id, m.day::text AS day, m.customer_id AS customer, coalesce(nullif(k.billing_name, ''), k.company_name, '') AS company, m.currency,
    least(-m.amount, -m.balance) AS amount
  FROM moved m JOIN paid p ON p.id = m.id JOIN customer k ON k.client_id = $1 AND k.id = m.customer_id
  WHERE m.balance < 0 ORDER BY m.day, m.id`

async function deposits(c: RouteContext) {
  const { from, to } = parsePeriod(c)
  const found = await rowsOf<Omit<Deposit, 'customer'> & { customer: number }>(c, DEPOSITS, [from, to])
  const lines = found.map(
    (row): Deposit => ({
      ...row,
      id: Number(row.id),
      customer: iriOf(customer, Number(row.customer)),
      amount: Number(row.amount),
    }),
  )
  return { '@id': DEPOSITS_URL, '@type': 'Deposits', from, to, lines }
}

/** Net sales include deferred income, because VAT is due when the invoice is issued, not when the income is earned. */
const VAT = `SELECT tax_code AS code, coalesce(tax_percent, 0) AS percent, currency,
    -sum(amount) FILTER (WHERE account <> 'vat') AS net, -coalesce(sum(amount) FILTER (WHERE account = 'vat'), 0) AS vat
  FROM ledger_entry WHERE client_id = $1 AND day BETWEEN $2 AND $3 AND tax_code IS NOT NULL AND account IN ('sales', 'deferred', 'vat')
  GROUP BY tax_code, tax_percent, currency`

async function vat(c: RouteContext) {
  const { from, to } = parsePeriod(c)
  const found = await rowsOf<{ code: TaxCode; percent: string; currency: string; net: string | null; vat: string }>(
    c,
    VAT,
    [from, to],
  )
  const lines = found
    .toSorted((a, b) => a.currency.localeCompare(b.currency) || TAX_CODES.indexOf(a.code) - TAX_CODES.indexOf(b.code))
    .map(
      (r): VatReportLine => ({
        code: r.code,
        label: TAX_CODE_OPTIONS.find((o) => o.value === r.code)?.label ?? r.code,
        percent: Number(r.percent),
        currency: r.currency,
        net: Number(r.net ?? 0),
        vat: Number(r.vat),
      }),
    )
  return { '@id': VAT_REPORT_URL, '@type': 'VatSummary', from, to, lines }
}

const from = date({ help: 'First day of the period; defaults to the first day of this month.' })
const to = date({ help: 'Last day of the period; defaults to today.' })

export const ledgerRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: LEDGER_BALANCES_URL,
    title: 'Get the balance of each account at the end of a day',
    query: { day: date({ help: 'Date of the balances; defaults to today.' }) },
    allow: FINANCE_ROLES,
    handle: loadBalances,
  },
  {
    method: 'GET',
    path: VAT_REPORT_URL,
    title: 'Get the sales in a period by type of VAT',
    query: { from, to },
    allow: FINANCE_ROLES,
    handle: vat,
  },
  {
    method: 'GET',
    path: DEPOSITS_URL,
    title: 'List payments received before an invoice, each with a tax point of its own',
    query: { from, to },
    allow: FINANCE_ROLES,
    handle: deposits,
  },
]
