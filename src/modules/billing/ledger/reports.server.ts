import { date } from '#kernel/fields.ts'
import { TAX_CODE_OPTIONS, TAX_CODES, type TaxCode } from '#kernel/money/tax-codes.ts'
import { londonDate } from '#kernel/time.ts'
import { escapeCsvFormula } from '#modules/crm/imports/row.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { parseDateParameter, parseDateRange, RouteResponse } from '#server/engine/route.ts'
import { FINANCE_ROLES } from '../rights.ts'
import {
  type AccountBalance,
  LEDGER_ACCOUNTS,
  LEDGER_BALANCES_URL,
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
]
