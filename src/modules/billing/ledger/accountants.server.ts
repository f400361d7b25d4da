import { problem } from '#kernel/errors.ts'
import { choice, date, integer, text } from '#kernel/fields.ts'
import { CURRENCIES, type Currency } from '#kernel/money.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { FINANCE_ROLES } from '../rights.ts'
import {
  buildAccountantFile,
  type ExportFile,
  type FileKind,
  type PostedTransaction,
  type Program,
} from './accountant-layouts.server.ts'
import {
  ACCOUNTANT_FILES_URL,
  type AccountantFile,
  LEDGER_JOURNAL_URL,
  LEDGER_PAYMENTS_URL,
  LEDGER_SALES_URL,
  TRIAL_BALANCE_URL,
} from './ledger.ts'
import { csvResponse, formatPoundsForCsv, loadBalances, parsePeriod } from './reports.server.ts'

const LINES = (table: string, owner: string) =>
  `(SELECT jsonb_agg(jsonb_build_object('description', l.description, 'quantity', l.quantity, 'net', l.net, 'tax', l.tax, 'code', l.tax_code, 'percent', l.tax_percent)
      ORDER BY l.position, l.id) FROM ${table} l WHERE l.client_id = d.client_id AND l.${owner} = d.id)`

const DOCUMENT = (columns: string, lines: string) =>
  `jsonb_build_object('number', d.number, ${columns}, 'poNumber', d.po_number, 'exchangeRate', d.exchange_rate, 'sterlingTax', d.sterling_tax, 'buyer', d.buyer, 'lines', ${lines})`

const POSTED = `SELECT t.id::int, t.kind, t.day::text AS day, t.description, t.customer_id::int AS customer,
    coalesce(nullif(c.billing_name, ''), c.company_name, c.contact_name, c.email, '') AS company,
    (SELECT jsonb_agg(jsonb_build_object('account', e.account, 'amount', e.amount, 'code', e.tax_code, 'percent', e.tax_percent) ORDER BY e.id)
      FROM ledger_entry e WHERE e.client_id = t.client_id AND e.transaction_id = t.id) AS entries,
    CASE WHEN t.kind IN ('invoice', 'void') AND t.source = 'Invoice'
        THEN (SELECT ${DOCUMENT("'dueOn', d.due_on::text", LINES('invoice_line', 'invoice_id'))} FROM invoice d WHERE d.client_id = t.client_id AND d.id = t.source_id)
      WHEN t.kind = 'credit' AND t.source = 'CreditNote'
        THEN (SELECT ${DOCUMENT("'dueOn', NULL", LINES('credit_note_line', 'credit_note_id'))} FROM credit_note d WHERE d.client_id = t.client_id AND d.id = t.source_id)
    END AS document
  FROM ledger_transaction t LEFT JOIN customer c ON c.client_id = t.client_id AND c.id = t.customer_id
  WHERE t.client_id = $1 AND t.day BETWEEN $2 AND $3
    AND EXISTS (SELECT FROM ledger_entry e WHERE e.client_id = t.client_id AND e.transaction_id = t.id AND e.currency = $4)
  ORDER BY t.day, t.id`

function parseOption<T extends string>(c: RouteContext, name: string, options: readonly T[], usual: T): T {
  const given = firstQueryValue(c.query[name]) || usual
  const found = options.find((one) => one === given)
  if (found === undefined) throw problem.badRequest(`"${name}" must be one of: ${options.join(', ')}.`)
  return found
}

const parseCurrency = (c: RouteContext): Currency => parseOption(c, 'currency', CURRENCIES, 'GBP')

const loadPosted = (c: RouteContext, { from, to }: { from: string; to: string }, currency: Currency) =>
  c.engine.db.tx({ clientId: c.me.clientId }, (tx) =>
    tx.rows<PostedTransaction>(POSTED, [c.me.clientId, from, to, currency]),
  )

/** Splits a file at the limit of the importing program. A group of rows is never split. */
function splitIntoParts({ groups, limit }: ExportFile): (readonly (readonly string[])[])[] {
  const parts: { rows: (readonly string[])[]; size: number }[] = [{ rows: [], size: 0 }]
  for (const rows of groups) {
    if (!rows.length) continue
    const size = limit?.of === 'groups' ? 1 : rows.length
    const last = parts.at(-1)
    if (last && (!limit || last.size + size <= limit.count)) {
      last.rows.push(...rows)
      last.size += size
    } else parts.push({ rows: [...rows], size })
  }
  return parts.map(({ rows }) => rows)
}

const download = (kindOf: (c: RouteContext) => readonly [FileKind, Program]) => async (c: RouteContext) => {
  const period = parsePeriod(c)
  const currency = parseCurrency(c)
  const [kind, program] = kindOf(c)
  const file = buildAccountantFile(kind, program, await loadPosted(c, period, currency), currency)
  if ('reason' in file) throw problem.conflict(file.reason)
  const parts = splitIntoParts(file)
  const asked = firstQueryValue(c.query.part)
  if (parts.length > 1 && !asked)
    throw problem.conflict(
      `This period needs ${parts.length} files, because the limit is ${file.limit?.count} ${file.limit?.name} for each. Add "part" to the request: 1 to ${parts.length}.`,
    )
  const rows = parts[Number(asked || 1) - 1]
  if (!rows) throw problem.badRequest(`"part" must be a number from 1 to ${parts.length}.`)
  const part = parts.length > 1 ? `, part ${asked} of ${parts.length}` : ''
  return csvResponse(`${kind} ${program} ${currency} ${period.from} to ${period.to}${part}`, [file.head, ...rows])
}

const PROGRAMS = ['xero', 'sage'] as const

interface ListedFile {
  readonly kind: FileKind
  readonly title: string
  readonly url: string
  readonly query?: Readonly<Record<string, string>>
}

const ENTRIES: ListedFile = {
  kind: 'entries',
  title: 'All entries',
  url: LEDGER_JOURNAL_URL,
  query: { layout: 'entries' },
}
const LISTED: Readonly<Record<Program, readonly ListedFile[]>> = {
  xero: [
    { kind: 'sales', title: 'Sales: invoices, credit notes, bad debts', url: LEDGER_SALES_URL },
    { kind: 'journal', title: 'Journal: deferred and earned income', url: LEDGER_JOURNAL_URL },
    {
      kind: 'statement-bank',
      title: 'Statement of the bank account 1200',
      url: LEDGER_PAYMENTS_URL,
      query: { account: 'bank' },
    },
    {
      kind: 'statement-clearing',
      title: 'Statement of card payments 1250',
      url: LEDGER_PAYMENTS_URL,
      query: { account: 'clearing' },
    },
    ENTRIES,
  ],
  sage: [
    { kind: 'sales', title: 'Sales: invoices, credit notes, bad debts', url: LEDGER_SALES_URL },
    { kind: 'journal', title: 'Journal: deferred and earned income', url: LEDGER_JOURNAL_URL },
    { kind: 'payments', title: 'Payments, refunds and fees', url: LEDGER_PAYMENTS_URL },
    ENTRIES,
  ],
}

/** `GET ledger/files`: the files of a period for one program, each with the addresses of its parts. */
async function listFiles(c: RouteContext) {
  const { from, to } = parsePeriod(c)
  const currency = parseCurrency(c)
  const layout = parseOption(c, 'layout', PROGRAMS, 'xero')
  const posted = await loadPosted(c, { from, to }, currency)
  const files = LISTED[layout].map(({ kind, title, url, query }): AccountantFile => {
    const file = buildAccountantFile(kind, layout, posted, currency)
    if ('reason' in file) return { title, reason: file.reason, rows: 0, urls: [] }
    const parts = splitIntoParts(file)
    return {
      title,
      reason: '',
      rows: parts.reduce((all, part) => all + part.length, 0),
      urls: parts.map(
        (_, n) =>
          `${url}?${new URLSearchParams({ from, to, layout, currency, ...query, ...(parts.length > 1 ? { part: String(n + 1) } : {}) })}`,
      ),
    }
  })
  return { '@id': ACCOUNTANT_FILES_URL, '@type': 'AccountantFiles', from, to, currency, layout, files }
}

async function trialBalance(c: RouteContext) {
  const currency = parseCurrency(c)
  const { day, accounts } = await loadBalances(c)
  const own = accounts.filter((a) => a.currency === currency)
  const total = (side: 'debit' | 'credit') => formatPoundsForCsv(own.reduce((all, a) => all + a[side], 0))
  return csvResponse(`trial balance ${currency} ${day}`, [
    ['Nominal code', 'Account', 'Debit', 'Credit', 'Currency'],
    ...own.map((a) => [a.nominal, a.label, formatPoundsForCsv(a.debit), formatPoundsForCsv(a.credit), currency]),
    ['', 'Total', total('debit'), total('credit'), currency],
  ])
}

const period = {
  from: date({ help: 'First day of the period; defaults to the first day of this month.' }),
  to: date({ help: 'Last day of the period; defaults to today.' }),
  currency: choice(CURRENCIES, { help: 'Currency of the file; defaults to GBP.' }),
}
const part = integer({
  help: 'Number of the file, if the period needs several: Xero takes 300 journal lines, 500 invoices or 1,000 statement lines at once.',
})
const layout = text({ help: 'Program that imports the file: xero or sage; defaults to xero.' })
const file = { method: 'GET', allow: FINANCE_ROLES, refuses: [409], file: ['text/csv'] } as const

export const accountantRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: ACCOUNTANT_FILES_URL,
    title: 'List the files of a period that an accountant imports',
    query: { ...period, layout },
    allow: FINANCE_ROLES,
    handle: listFiles,
  },
  {
    ...file,
    path: LEDGER_JOURNAL_URL,
    title: 'Export a period’s journal: all postings that are neither sales nor payments',
    query: { ...period, layout: text({ help: 'CSV layout: xero, sage or entries; defaults to xero.' }), part },
    handle: download((c) => {
      const asked = parseOption(c, 'layout', [...PROGRAMS, 'entries'], 'xero')
      return asked === 'entries' ? ['entries', 'xero'] : ['journal', asked]
    }),
  },
  {
    ...file,
    path: LEDGER_SALES_URL,
    title: 'Export a period’s invoices, credit notes and other changes of what customers owe',
    query: { ...period, layout, part },
    handle: download((c) => ['sales', parseOption(c, 'layout', PROGRAMS, 'xero')]),
  },
  {
    ...file,
    path: LEDGER_PAYMENTS_URL,
    title: 'Export a period’s payments: a statement of one account for Xero, or receipts and payments for Sage',
    query: {
      ...period,
      layout,
      account: text({ help: 'Account of the statement for Xero: bank or clearing; defaults to bank.' }),
      part,
    },
    handle: download((c) => {
      const account = parseOption(c, 'account', ['bank', 'clearing'], 'bank')
      return parseOption(c, 'layout', PROGRAMS, 'xero') === 'sage'
        ? ['payments', 'sage']
        : [`statement-${account}`, 'xero']
    }),
  },
  {
    ...file,
    path: TRIAL_BALANCE_URL,
    title: 'Export the trial balance at the end of a day',
    query: { day: date({ help: 'Date of the balances; defaults to today.' }), currency: period.currency },
    handle: trialBalance,
  },
]
