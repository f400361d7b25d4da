import { loadOpenInvoices, loadPayers } from '#modules/billing/bank/match.server.ts'
import { findMatchFacts, matchBankLine } from '#modules/billing/bank/match.ts'
import { parseStatement } from '#modules/billing/bank/statement-formats.ts'
import { overdueBehaviour } from '#modules/billing/dunning/overdue.server.ts'
import { overdueInvoice } from '#modules/billing/dunning/overdue.ts'
import { listQuery } from '#server/data/queries.ts'
import { connectToDbServer } from '#server/db/server.ts'
import { fetchAsBenchUser, isQuickRun, measureDurationMs, valueAtQuantile } from '../floor/floor.ts'
import { type BillingBench, SELLER_CLIENT_ID, withBillingBench } from './books.ts'

/*
 * Compares finance work on large books with the minimum work required, alternately on the same database: a statement of
 * 20,000 bank lines with parsing alone, the figures of a VAT return with one aggregate of its postings, and the overdue
 * list with a query by hand.
 */
const INVOICES = isQuickRun ? 100_000 : 1_000_000
/** Open invoices in the books into which statements are imported. */
const OPEN_INVOICES = 100_000
const STATEMENT_LINES = 20_000
const ROUNDS = isQuickRun ? 3 : 7
const API = '/api/financial'
const PERIOD = { from: '2025-07-01', to: '2025-09-30' }

/** Outcome of a comparison. `ratio` is ours ÷ theirs in time. */
export interface FinanceResult {
  readonly what: string
  readonly ours: number
  readonly beside: string
  readonly theirs: number
  readonly ratio: number
  readonly goal: string
  readonly isMet: boolean
}

/** Returns the medians of both in milliseconds, measured alternately after one warm-up of each. */
async function compare(ours: () => Promise<unknown>, theirs: () => Promise<unknown>) {
  const [mine, beside]: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    const [a, b] = [await measureDurationMs(theirs), await measureDurationMs(ours)]
    if (round === 0) continue
    beside.push(a)
    mine.push(b)
  }
  return { ours: valueAtQuantile(mine, 0.5), theirs: valueAtQuantile(beside, 0.5) }
}

/** A statement of transfers. A third quote an invoice, a third name a customer, and the others are unknown. */
function buildStatement(round: number): string {
  // Rounds that name the invoices of an earlier round again are dated a month before it, because the product leaves
  // repeated lines out.
  const month = 11 - Math.floor((round * STATEMENT_LINES) / OPEN_INVOICES)
  const rows = Array.from({ length: STATEMENT_LINES }, (_, n) => {
    const invoice = 1 + ((round * STATEMENT_LINES + n) % OPEN_INVOICES)
    const text = [
      `BUYER ${1 + (invoice % 2000)} LTD,INV-${invoice} THANK YOU`,
      `BUYER ${1 + (n % 2000)} LTD,SERVICES`,
      `PAYER ${round} ${n},NO REFERENCE`,
    ][n % 3]
    return `${String(1 + (n % 28)).padStart(2, '0')}/${String(month).padStart(2, '0')}/2025,${text},${(12 + (invoice % 977) / 100).toFixed(2)}`
  })
  return ['Date,Name,Reference,Amount', ...rows].join('\n')
}

async function statement({ database }: BillingBench): Promise<FinanceResult> {
  const db = connectToDbServer(database, 2)
  const parse = () => parseStatement(buildStatement(1), { delimiter: ',', today: '2025-12-01' }).lines
  const { ours, theirs } = await compare(
    () =>
      db.tx({ clientId: SELLER_CLIENT_ID }, async (tx) => {
        const parsed = parse()
        const payers = await loadPayers(tx, SELLER_CLIENT_ID)
        const read = parsed.map((line) => ({ ...line, currency: 'GBP' as const, facts: findMatchFacts(line, payers) }))
        const open = await loadOpenInvoices(tx, SELLER_CLIENT_ID, read)
        const sure = read.filter((line) => matchBankLine(line, open, line.facts).sure).length
        if (sure < STATEMENT_LINES / 3) throw new Error(`Only ${sure} lines were matched`)
      }),
    async () => parse(),
  )
  await db.close()
  const ratio = ours / theirs
  return {
    what: `a statement of ${STATEMENT_LINES.toLocaleString('en-GB')} lines, read and matched`,
    ours,
    beside: 'parsing alone',
    theirs,
    ratio,
    goal: '≤ 5',
    isMet: ratio <= 5,
  }
}

/** The whole request, with its saved and audited lines. */
async function importing({ system, finance }: BillingBench): Promise<FinanceResult> {
  let round = 0
  const { ours, theirs } = await compare(
    async () => {
      const text = buildStatement(++round)
      const made = await fetchAsBenchUser<{ lines: number }>(system.base, finance, `${API}/bank_statements`, {
        name: `lines ${round}.csv`,
        text,
      })
      if (made.lines !== STATEMENT_LINES) throw new Error(`${made.lines} lines were imported`)
    },
    async () => parseStatement(buildStatement(0), { delimiter: ',', today: '2025-12-01' }),
  )
  const what = 'the same statement, imported by its request and saved'
  return { what, ours, beside: 'parsing alone', theirs, ratio: ours / theirs, goal: '', isMet: true }
}

const AGGREGATE = `SELECT -sum(e.amount) FILTER (WHERE e.account = 'vat') AS vat, -sum(e.amount) FILTER (WHERE e.account <> 'vat') AS net
  FROM ledger_transaction t JOIN ledger_entry e ON e.client_id = t.client_id AND e.transaction_id = t.id
  WHERE t.client_id = $1 AND t.kind IN ('invoice', 'credit', 'void') AND t.day BETWEEN $2 AND $3 AND e.account IN ('sales', 'deferred', 'vat')`

async function vatReturn({ system, finance, beside }: BillingBench): Promise<FinanceResult> {
  const made = await fetchAsBenchUser<{ '@id': string }>(system.base, finance, `${API}/vat_returns`, PERIOD)
  const read = () =>
    fetchAsBenchUser<{ boxes: { box: number; amount: number }[] }>(system.base, finance, `${made['@id']}/figures`)
  const { ours, theirs } = await compare(read, () =>
    beside.query(AGGREGATE, [SELLER_CLIENT_ID, PERIOD.from, PERIOD.to]),
  )
  const vat = (await read()).boxes.find(({ box }) => box === 1)?.amount
  if (vat !== INVOICES * 200) throw new Error(`Box 1 is ${vat}`)
  const ratio = ours / theirs
  return {
    what: `the figures of a VAT return of ${INVOICES.toLocaleString('en-GB')} lines`,
    ours,
    beside: 'one aggregate of its postings',
    theirs,
    ratio,
    goal: '≤ 2',
    isMet: ratio <= 2,
  }
}

const OVERDUE_ROWS = `FROM invoice i WHERE i.client_id = $1 AND i.state = 'open' AND i.due_on < current_date`
const OVERDUE = `SELECT i.id, i.number, i.company, i.due_on, i.currency, i.amount_due, c.company_name, c.email, current_date - i.due_on AS days,
    d.promised_on, d.promised_amount, d.paused_until, d.pause_reason, d.notes,
    (SELECT max(m.sent_at) FROM message m WHERE m.client_id = i.client_id AND m.about = '/api/financial/invoices/' || i.id AND m.state = 'sent') AS contacted
  FROM (SELECT * ${OVERDUE_ROWS} ORDER BY i.due_on, i.id LIMIT 30) i
  JOIN customer c ON c.client_id = i.client_id AND c.id = i.customer_id
  LEFT JOIN dunning d ON d.client_id = i.client_id AND d.invoice_id = i.id ORDER BY i.due_on, i.id`
const OVERDUE_COUNT = `SELECT count(*) FROM (SELECT 1 ${OVERDUE_ROWS} LIMIT 10001) x`

const FINANCE_USER = {
  userId: 0,
  clientId: SELLER_CLIENT_ID,
  username: 'finance',
  name: '',
  roles: ['ROLE_STAFF', 'ROLE_FINANCE'],
  scopes: [],
  packs: { invoicing: 'active' } as const,
}

/** Compares the statements of the list's first page, and of its total, with queries by hand on the same connection. */
async function overdue({ beside }: BillingBench): Promise<FinanceResult> {
  const list = listQuery(
    overdueInvoice,
    FINANCE_USER,
    {},
    { limit: 30, offset: 0 },
    overdueBehaviour[1].extraFilters?.({}, []),
  )
  if (!list) throw new Error('The user can see no overdue invoices.')
  const connection = await beside.connect()
  const values = [SELLER_CLIENT_ID]
  const repeat = async (work: () => Promise<unknown>) => {
    for (let n = 0; n < 50; n++) await work()
  }
  const { ours, theirs } = await compare(
    () =>
      repeat(async () => {
        const { page, count } = list
        const { rows } = await connection.query({ name: 'our page', text: page.query.text, values: [...page.values] })
        if (rows.length !== 30) throw new Error(`${rows.length} rows`)
        await connection.query({ name: 'our total', text: count.capped.query.text, values: [...count.capped.values] })
      }),
    () =>
      repeat(async () => {
        await connection.query({ name: 'page', text: OVERDUE, values })
        await connection.query({ name: 'total', text: OVERDUE_COUNT, values })
      }),
  )
  connection.release()
  const speed = theirs / ours
  return {
    what: `the overdue list of ${INVOICES.toLocaleString('en-GB')} invoices: page and total, 50 times`,
    ours,
    beside: 'queries by hand',
    theirs,
    ratio: speed,
    goal: '≥ 0.6 × their speed',
    isMet: speed >= 0.6,
  }
}

/** Measures imports and returns on separate books. */
export async function measureFinance(onResult: (result: FinanceResult) => void): Promise<void> {
  const sizes = { subscriptions: 2, movements: 1000, ofRegular: 10, items: 1 }
  await withBillingBench({ ...sizes, invoices: INVOICES }, async (books) => {
    for (const part of [overdue, vatReturn]) onResult(await part(books))
  })
  await withBillingBench({ ...sizes, invoices: OPEN_INVOICES }, async (books) => {
    for (const part of [statement, importing]) onResult(await part(books))
  })
}
