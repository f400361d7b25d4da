import { parseStatement } from '#modules/billing/bank/statement-formats.ts'
import { fetchAsBenchUser, isQuickRun, measureDurationMs, valueAtQuantile } from '../floor/floor.ts'
import { type BillingBench, SELLER_CLIENT_ID, withBillingBench } from './books.ts'

/*
 * Compares finance work on large books with the least that it needs, alternately on the same database: a statement of
 * 20,000 bank lines with parsing alone, the figures of a VAT return with one aggregate of its postings, and the overdue
 * list with a query by hand.
 */
const INVOICES = isQuickRun ? 100_000 : 1_000_000
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

/** Returns the medians of both in milliseconds, measured by turns after one warm-up of each. */
async function compare(ours: (round: number) => Promise<unknown>, theirs: () => Promise<unknown>) {
  const [mine, beside]: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    const [a, b] = [await measureDurationMs(theirs), await measureDurationMs(() => ours(round))]
    if (round === 0) continue
    beside.push(a)
    mine.push(b)
  }
  return { ours: valueAtQuantile(mine, 0.5), theirs: valueAtQuantile(beside, 0.5) }
}

/** A statement of transfers. A third quote an invoice, a third name a customer, and the others are unknown. */
function buildStatement(round: number): string {
  const rows = Array.from({ length: STATEMENT_LINES }, (_, n) => {
    const invoice = 1 + ((round * STATEMENT_LINES + n) % INVOICES)
    const text = [
      `BUYER ${1 + (invoice % 2000)} LTD,INV-${invoice} THANK YOU`,
      `BUYER ${1 + (n % 2000)} LTD,SERVICES`,
      `PAYER ${round} ${n},NO REFERENCE`,
    ][n % 3]
    return `${String(1 + (n % 28)).padStart(2, '0')}/11/2025,${text},${(12 + (invoice % 977) / 100).toFixed(2)}`
  })
  return ['Date,Name,Reference,Amount', ...rows].join('\n')
}

async function statement({ system, finance }: BillingBench): Promise<FinanceResult> {
  const { ours, theirs } = await compare(
    async (round) => {
      const text = buildStatement(round)
      const made = await fetchAsBenchUser<{ lines: number }>(system.base, finance, `${API}/bank_statements`, {
        name: `lines ${round}.csv`,
        text,
      })
      if (made.lines !== STATEMENT_LINES) throw new Error(`${made.lines} lines were imported`)
    },
    async () => parseStatement(buildStatement(ROUNDS + 1), { delimiter: ',', today: '2025-12-01' }),
  )
  const ratio = ours / theirs
  return {
    what: `a statement of ${STATEMENT_LINES.toLocaleString('en-GB')} lines, read, matched and saved`,
    ours,
    beside: 'parsing alone',
    theirs,
    ratio,
    goal: '≤ 5',
    isMet: ratio <= 5,
  }
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

const OVERDUE = `SELECT i.id, i.number, i.company, i.due_on, i.currency, i.amount_due, current_date - i.due_on AS days, d.promised_on, d.paused_until, d.notes,
    (SELECT max(m.sent_at) FROM message m WHERE m.client_id = i.client_id AND m.about = '/api/financial/invoices/' || i.id AND m.state = 'sent') AS contacted
  FROM invoice i LEFT JOIN dunning d ON d.client_id = i.client_id AND d.invoice_id = i.id
  WHERE i.client_id = $1 AND i.state = 'open' AND i.due_on < current_date ORDER BY i.due_on, i.id LIMIT 30`

async function overdue({ system, finance, beside }: BillingBench): Promise<FinanceResult> {
  const { ours, theirs } = await compare(
    async () => {
      for (let n = 0; n < 20; n++) await fetchAsBenchUser(system.base, finance, `${API}/overdue`)
    },
    async () => {
      for (let n = 0; n < 20; n++) {
        const { rows } = await beside.query({ name: 'overdue', text: OVERDUE, values: [SELLER_CLIENT_ID] })
        JSON.stringify(rows)
      }
    },
  )
  const speed = theirs / ours
  return {
    what: `the overdue list of ${INVOICES.toLocaleString('en-GB')} invoices, first page (20 times)`,
    ours,
    beside: 'the query and its JSON alone',
    theirs,
    ratio: speed,
    goal: '≥ 0.6 × its speed',
    isMet: speed >= 0.6,
  }
}

/** Measures all three on books of their own. */
export async function measureFinance(onResult: (result: FinanceResult) => void): Promise<void> {
  const sizes = { subscriptions: 2, movements: 1000, ofRegular: 10, items: 1, invoices: INVOICES }
  await withBillingBench(sizes, async (books) => {
    for (const part of [overdue, vatReturn, statement]) onResult(await part(books))
  })
}
