import { problem } from '#kernel/errors.ts'
import { date, text } from '#kernel/fields.ts'
import { TAX_CODE_OPTIONS, TAX_CODES, type TaxCode } from '#kernel/money/tax-codes.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { escapeCsvFormula } from '#modules/crm/imports/row.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { parseDateParameter, parseDateRange, RouteResponse } from '#server/engine/route.ts'
import { FINANCE_ROLES } from '../rights.ts'
import {
  type AccountBalance,
  LEDGER_ACCOUNTS,
  LEDGER_BALANCES_URL,
  LEDGER_JOURNAL_URL,
  type LedgerAccountName,
  VAT_REPORT_URL,
  type VatReportLine,
} from './ledger.ts'

const NUMBER = /^-?\d+[.]\d\d$/
const cell = (value: string) => (NUMBER.test(value) ? value : `"${escapeCsvFormula(value).replaceAll('"', '""')}"`)

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

const periodOf = (c: RouteContext) => {
  const today = londonDate(c.now)
  return parseDateRange(c, { from: today.with({ day: 1 }).toString(), to: today.toString() })
}

const rowsOf = <R extends object>(c: RouteContext, sql: string, values: readonly unknown[]) =>
  c.engine.db.tx({ clientId: c.me.clientId }, (tx) => tx.rows<R>(sql, [c.me.clientId, ...values]))

const BALANCES = `SELECT account, currency, sum(amount) AS sum FROM ledger_entry WHERE client_id = $1 AND day <= $2 GROUP BY account, currency`

async function balances(c: RouteContext) {
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

/** Net sales include deferred income, because VAT is due when the invoice is issued, not when the income is earned. */
const VAT = `SELECT tax_code AS code, coalesce(tax_percent, 0) AS percent, currency,
    -sum(amount) FILTER (WHERE account <> 'vat') AS net, -coalesce(sum(amount) FILTER (WHERE account = 'vat'), 0) AS vat
  FROM ledger_entry WHERE client_id = $1 AND day BETWEEN $2 AND $3 AND tax_code IS NOT NULL AND account IN ('sales', 'deferred', 'vat')
  GROUP BY tax_code, tax_percent, currency`

async function vat(c: RouteContext) {
  const { from, to } = periodOf(c)
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

const JOURNAL = `SELECT t.id, t.day::text AS day, t.description, e.account, e.amount, e.currency, e.tax_code AS code, coalesce(c.company_name, '') AS company
  FROM ledger_transaction t JOIN ledger_entry e ON e.client_id = t.client_id AND e.transaction_id = t.id
  LEFT JOIN customer c ON c.client_id = t.client_id AND c.id = t.customer_id
  WHERE t.client_id = $1 AND t.day BETWEEN $2 AND $3 ORDER BY t.day, t.id, e.id`

interface Posted {
  readonly id: number
  readonly day: string
  readonly description: string
  readonly account: LedgerAccountName
  readonly amount: number
  readonly currency: string
  readonly code: TaxCode | null
  readonly company: string
}

interface Layout {
  readonly head: readonly string[]
  readonly row: (p: Posted) => readonly string[]
}

/** Tax codes used by Sage and Xero. Entries on the VAT account have no tax code there. */
const SAGE_CODES: Readonly<Record<TaxCode, string>> = {
  standard: 'T1',
  reduced: 'T5',
  zero: 'T0',
  exempt: 'T2',
  outside: 'T9',
  reverse: 'T21',
}
const XERO_CODES: Readonly<Record<TaxCode, string>> = {
  standard: '20% (VAT on Income)',
  reduced: '5% (VAT on Income)',
  zero: 'Zero Rated Income',
  exempt: 'Exempt Income',
  outside: 'No VAT',
  reverse: 'Reverse Charge Supplies (20%)',
}

/**
 * Layouts for manual journals. Xero takes one signed amount; Sage 50 takes a debit or a credit (JD, JC) by nominal
 * code.
 */
const LAYOUTS: Readonly<Record<string, Layout>> = {
  xero: {
    head: ['Narration', 'Date', 'Description', 'AccountCode', 'TaxRate', 'Amount'],
    row: (p) => [
      `${p.id} ${p.description}`,
      formatIsoDateAsUk(p.day),
      p.company || p.description,
      accountOf(p.account).nominal,
      p.code && p.account !== 'vat' ? XERO_CODES[p.code] : 'No VAT',
      formatPoundsForCsv(p.amount),
    ],
  },
  sage: {
    head: [
      'Type',
      'Account Reference',
      'Nominal A/C Ref',
      'Department Code',
      'Date',
      'Reference',
      'Details',
      'Net Amount',
      'Tax Code',
      'Tax Amount',
    ],
    row: (p) => {
      const amount = BigInt(p.amount)
      const code = p.code && p.account !== 'vat' ? SAGE_CODES[p.code] : 'T9'
      const size = formatPoundsForCsv(amount < 0n ? -amount : amount)
      const details = [p.description, p.company].filter(Boolean).join(', ')
      return [
        amount < 0n ? 'JC' : 'JD',
        '',
        accountOf(p.account).nominal,
        '0',
        formatIsoDateAsUk(p.day),
        String(p.id),
        details,
        size,
        code,
        '0.00',
      ]
    },
  },
}

async function journal(c: RouteContext) {
  const { from, to } = periodOf(c)
  const layout = LAYOUTS[firstQueryValue(c.query.layout) || 'xero']
  if (!layout) throw problem.badRequest(`"layout" must be one of: ${Object.keys(LAYOUTS).join(', ')}.`)
  const posted = await rowsOf<Posted>(c, JOURNAL, [from, to])
  return csvResponse(`journal ${from} to ${to}`, [layout.head, ...posted.map(layout.row)])
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
    handle: balances,
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
    path: LEDGER_JOURNAL_URL,
    title: 'Export a period’s journal for an accountant',
    query: { from, to, layout: text({ help: 'CSV layout: xero or sage; defaults to xero.' }) },
    allow: FINANCE_ROLES,
    handle: journal,
  },
]
