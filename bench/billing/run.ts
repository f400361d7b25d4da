import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildInvoiceDocument } from '#modules/billing/invoices/paper.ts'
import { findLedgerInconsistencies } from '#modules/billing/ledger/command.server.ts'
import { financialDocumentPdfJob } from '#modules/billing/print/financial-document.server.ts'
import { connectToDbServer } from '#server/db/server.ts'
import type { Engine } from '#server/engine/types.ts'
import { renderPdf } from '#server/pdf/render.ts'
import { closeAllPools } from '#server/processes/pool.ts'
import { sampleInvoice } from '#test/pdf/invoice-samples.ts'
import {
  fetchAsBenchUser,
  isQuickRun,
  measureDurationMs,
  type SignedInBenchUser,
  valueAtQuantile,
} from '../floor/floor.ts'
import {
  type BillingBench,
  makeSubscriptionsDue,
  REGULAR_CUSTOMER_ID,
  SELLER_CLIENT_ID,
  withBillingBench,
} from './books.ts'
import { measureFinance } from './finance.ts'
import { renderInvoiceWithPdfkit } from './pdfkit-invoice.ts'

/*
 * Compares billing operations with hand-written equivalents, alternately on the same database: issuing one invoice,
 * issuing fifty simultaneously in one series, a monitored billing run, checking the ledger, a statement, a preview, and
 * a printed page. `--only=issue,run` selects parts; `--quick` uses less data.
 */
const SUBSCRIPTIONS = isQuickRun ? 1_001 : 10_001
const MOVEMENTS = isQuickRun ? 34_000 : 334_000
const OF_REGULAR = 5_000
const ITEMS = 20
const ISSUED = isQuickRun ? 60 : 200
const ROUNDS = isQuickRun ? 2 : 5
const AT_ONCE = 8
const WRITERS = 50
const TIMES = 21

/** Time limit for one part in milliseconds; a slower part is assumed to hang and is abandoned. */
const LIMIT_MS = isQuickRun ? 180_000 : 900_000

const only = process.argv
  .find((o) => o.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',')
const asked = (part: string) => !only || only.includes(part)
const API = '/api/financial'

const row = (what: string, ours: string, beside: string, ratio: number | undefined, goal: string, isMet: boolean) =>
  console.log(
    `| ${what} | ${ours} | ${beside} | ${ratio === undefined ? '' : `**${ratio.toFixed(2)}**`}${isMet ? '' : ' (short)'} | ${goal} |`,
  )
const ms = (n: number) => `${n.toFixed(n < 20 ? 1 : 0)} ms`

/** Creates draft invoices through the portal, each with three lines and for a different customer. Returns their IDs. */
async function makeDrafts({ system, finance }: BillingBench, count: number, from: number): Promise<number[]> {
  const ids: number[] = []
  for (let n = 0; n < count; n += AT_ONCE)
    ids.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, count - n) }, async (_, k) => {
          const lines = [1, 2, 3].map((i) => ({
            description: `Item ${i}`,
            quantity: i,
            unitAmount: 1000 * i,
            taxCode: 'standard',
          }))
          const customer = `${API}/customers/${100 + ((from + n + k) % 1900)}`
          return (await fetchAsBenchUser<{ id: number }>(system.base, finance, `${API}/invoices`, { customer, lines }))
            .id
        }),
      )),
    )
  return ids
}

/** Processes all items with limited concurrency. Returns the duration of each in milliseconds. */
async function atOnce(all: readonly number[], most: number, take: (id: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const left = [...all]
  await Promise.all(
    Array.from({ length: most }, async () => {
      for (let id = left.pop(); id !== undefined; id = left.pop())
        times.push(await measureDurationMs(() => take(id as number)))
    }),
  )
  return times
}

const issuing =
  ({ system, finance }: BillingBench) =>
  (id: number) =>
    fetchAsBenchUser(system.base, finance, `${API}/invoices/${id}/issue`, {})

async function issue(books: BillingBench): Promise<void> {
  const child = fork(join(import.meta.dirname, 'twin.ts'), [books.database])
  try {
    const [port] = (await once(child, 'message')) as [number]
    await besideTwin(books, port)
  } finally {
    child.kill()
  }
  await series(books)
}

async function besideTwin(books: BillingBench, port: number): Promise<void> {
  const twin: SignedInBenchUser = { userId: 0, headers: {} }
  const ways = {
    twin: (id: number) => fetchAsBenchUser(`http://127.0.0.1:${port}`, twin, `/${SELLER_CLIENT_ID}/${id}`, {}),
    ours: issuing(books),
  }
  const took = { twin: 0, ours: 0 }
  for (let round = 0; round <= ROUNDS; round++)
    for (const name of ['twin', 'ours'] as const) {
      const drafts = await makeDrafts(books, ISSUED, round * ISSUED)
      const spent = await measureDurationMs(() => atOnce(drafts, AT_ONCE, ways[name]))
      // The first round is a warm-up.
      if (round > 0) took[name] += spent
    }
  const each = (name: 'twin' | 'ours') => took[name] / (ROUNDS * ISSUED)
  const ratio = took.twin / took.ours
  row(
    'issuing an invoice with 3 lines, 8 concurrently',
    ms(each('ours')),
    ms(each('twin')),
    ratio,
    '≥ 0.5 × the twin’s speed',
    ratio >= 0.5,
  )
}

async function series(books: BillingBench): Promise<void> {
  const drafts = await makeDrafts(books, WRITERS * 4, 0)
  const times = await atOnce(drafts, WRITERS, issuing(books))
  const { rows } = await books.beside.query<{ gaps: number; n: number }>(
    `SELECT max(n) - count(*)::int AS gaps, count(*)::int AS n FROM (SELECT regexp_replace(number, '\\D', '', 'g')::int AS n FROM invoice WHERE client_id = $1 AND number <> '') x`,
    [SELLER_CLIENT_ID],
  )
  if (rows[0]?.gaps !== 0) throw new Error(`${rows[0]?.gaps} invoice numbers are missing`)
  row(
    `${WRITERS} concurrent writers in one number series: median · p99`,
    `${ms(valueAtQuantile(times, 0.5))} · ${ms(valueAtQuantile(times, 0.99))}`,
    '',
    undefined,
    `no gap in ${rows[0].n} numbers`,
    true,
  )
}

const residentMib = (pid: number | undefined, what: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

async function run(books: BillingBench): Promise<void> {
  const { system, finance } = books
  await makeSubscriptionsDue(books.database)
  const quote = await fetchAsBenchUser<{ '@id': string }>(system.base, finance, `${API}/quotes`, {
    customer: `${API}/customers/2`,
    emailTo: 'buyer@example.test',
    plans: [{ plan: `${API}/plans/1` }],
  })
  const look = async (times: number[]) =>
    times.push(await measureDurationMs(() => fetchAsBenchUser(system.base, finance, quote['@id'])))
  const idle: number[] = []
  for (let n = 0; n < 300; n++) {
    await look(idle)
    await sleep(5)
  }
  const before = residentMib(system.process.pid, 'VmRSS')
  const busy: number[] = []
  let peak = 0
  let state = ''
  const spent = await measureDurationMs(async () => {
    const started = await fetchAsBenchUser<{ '@id': string }>(system.base, finance, `${API}/billing_runs`, {})
    for (let n = 0; ; n++) {
      await look(busy)
      await sleep(20)
      peak = Math.max(peak, residentMib(system.process.pid, 'VmRSS'))
      if (n % 10) continue
      state = (await fetchAsBenchUser<{ state: string }>(system.base, finance, started['@id'])).state
      if (state !== 'queued' && state !== 'running') break
    }
  })
  const { rows } = await books.beside.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM invoice WHERE client_id = $1 AND origin = 'subscription' AND number <> ''`,
    [SELLER_CLIENT_ID],
  )
  const count = rows[0]?.n ?? 0
  if (state !== 'done' || count !== SUBSCRIPTIONS - 1)
    throw new Error(`The billing run has the state ${state} and has invoiced ${count} subscriptions`)
  const goal = (60_000 * count) / 10_000
  row(
    `a billing run for ${count.toLocaleString('en-GB')} subscriptions`,
    `${(spent / 1000).toFixed(1)} s`,
    '',
    undefined,
    `≤ ${goal / 1000} s`,
    spent <= goal,
  )
  row('time per subscription', ms(spent / count), '', undefined, '≤ 6 ms', spent / count <= 6)
  row(
    'peak memory during the run, above the memory before',
    `${(peak - before).toFixed(0)} MiB`,
    `${before.toFixed(0)} MiB`,
    undefined,
    '≤ 50',
    peak - before <= 50,
  )
  const ratio = valueAtQuantile(busy, 0.95) / valueAtQuantile(idle, 0.95)
  row(
    '`GET quotes/{id}` during the billing run, p95',
    ms(valueAtQuantile(busy, 0.95)),
    `idle ${ms(valueAtQuantile(idle, 0.95))}`,
    ratio,
    '≤ 2',
    ratio <= 2,
  )
}

async function byTurns(count: number, ours: () => Promise<unknown>, theirs: () => Promise<unknown>) {
  const [mine, beside]: [number[], number[]] = [[], []]
  for (let n = -3; n < count; n++) {
    const [a, b] = [await measureDurationMs(theirs), await measureDurationMs(ours)]
    if (n < 0) continue
    beside.push(a)
    mine.push(b)
  }
  return [valueAtQuantile(mine, 0.5), valueAtQuantile(beside, 0.5)] as const
}

async function check({ database, beside }: BillingBench): Promise<void> {
  const db = connectToDbServer(database, 2)
  const raw = `SELECT transaction_id, currency, sum(amount) FROM ledger_entry WHERE client_id = $1 GROUP BY 1, 2 HAVING sum(amount) <> 0`
  const [ours, theirs] = await byTurns(
    5,
    async () => {
      const faults = await findLedgerInconsistencies({ db } as Engine, SELLER_CLIENT_ID)
      if (faults.length) throw new Error(faults[0])
    },
    () => beside.query(raw, [SELLER_CLIENT_ID]),
  )
  await db.close()
  const ratio = ours / theirs
  row(
    `\`ledger check\` with ${(MOVEMENTS * 3).toLocaleString('en-GB')} entries`,
    ms(ours),
    `one aggregate query: ${ms(theirs)}`,
    ratio,
    '≤ 2',
    ratio <= 2,
  )
}

const MOVES = `SELECT t.day::text, t.id, t.description, sum(e.amount)::bigint AS amount FROM ledger_entry e JOIN ledger_transaction t ON t.client_id = e.client_id AND t.id = e.transaction_id
  WHERE e.client_id = $1 AND e.customer_id = $2 AND e.account = 'receivable' AND e.day BETWEEN $3 AND $4 GROUP BY t.day, t.id, t.description ORDER BY 1, 2`

async function statement({ system, finance, beside }: BillingBench): Promise<void> {
  const [ours, theirs] = await byTurns(
    TIMES,
    async () => {
      const path = `${API}/customers/${REGULAR_CUSTOMER_ID}/statement?from=2025-01-01&to=2026-01-01`
      const { lines } = await fetchAsBenchUser<{ lines: unknown[] }>(system.base, finance, path)
      if (lines.length !== OF_REGULAR) throw new Error(`${lines.length} lines`)
    },
    async () =>
      JSON.stringify(
        (
          await beside.query({
            name: 'moves',
            text: MOVES,
            values: [SELLER_CLIENT_ID, REGULAR_CUSTOMER_ID, '2025-01-01', '2026-01-01'],
          })
        ).rows,
      ),
  )
  row(
    `a statement with ${OF_REGULAR.toLocaleString('en-GB')} entries`,
    ms(ours),
    `the query and its JSON alone: ${ms(theirs)}`,
    ours / theirs,
    '≤ 1.5',
    ours / theirs <= 1.5,
  )
}

async function preview({ system, finance }: BillingBench): Promise<void> {
  const path = `${API}/subscriptions/1`
  const { items } = await fetchAsBenchUser<{ items: { '@id': string }[] }>(system.base, finance, path)
  const times: number[] = []
  for (let n = 0; n < TIMES * 5; n++)
    times.push(
      await measureDurationMs(() =>
        fetchAsBenchUser(system.base, finance, `${path}/preview`, {
          way: 'quantity',
          item: items[n % ITEMS]?.['@id'],
          quantity: 5,
        }),
      ),
    )
  const middle = valueAtQuantile(times.slice(TIMES), 0.5)
  row(`a preview of a change to ${ITEMS} items`, ms(middle), '', undefined, '≤ 5 ms', middle <= 5)
}

async function paper(): Promise<void> {
  const whole = buildInvoiceDocument(sampleInvoice)
  let n = 0
  // The text differs each time to avoid the Typst compiler's cache.
  const sheet = () => {
    n += 1
    return { ...whole, number: `INV-${n}`, rows: whole.rows.map((one, i) => ({ ...one, under: `${n} ${i}` })) }
  }
  const [ours, theirs] = await byTurns(
    TIMES,
    () => renderPdf(financialDocumentPdfJob(sheet())),
    () => renderInvoiceWithPdfkit(sheet()),
  )
  await closeAllPools()
  row(
    'a one-page invoice as a tagged PDF',
    ms(ours),
    `pdfkit: ${ms(theirs)}`,
    ours / theirs,
    '≤ 1.2',
    ours / theirs <= 1.2,
  )
}

async function limited(name: string, part: Promise<void>): Promise<void> {
  const over = new AbortController()
  const late = sleep(LIMIT_MS, undefined, { signal: over.signal }).then(() => {
    throw new Error(`${name} did not finish within ${LIMIT_MS / 1000} seconds`)
  })
  await Promise.race([part, late]).finally(() => over.abort())
}

console.log(
  `Machine load ${loadavg()[0]?.toFixed(1)}.\n\n| what | ours | compared with | ratio | goal |\n|---|---|---|---|---|`,
)
if (asked('pdf')) await paper()
const parts = { preview, statement, check, issue, run }
const wanted = Object.entries(parts).filter(([name]) => asked(name))
if (wanted.length)
  await withBillingBench(
    { subscriptions: SUBSCRIPTIONS, movements: MOVEMENTS, ofRegular: OF_REGULAR, items: ITEMS },
    async (books) => {
      for (const [name, part] of wanted) await limited(name, part(books))
    },
  )
if (asked('finance'))
  await limited(
    'finance',
    measureFinance(({ what, ours, beside, theirs, ratio, goal, isMet }) =>
      row(what, ms(ours), `${beside}: ${ms(theirs)}`, ratio, goal, isMet),
    ),
  )
console.log(`\nMachine load afterwards ${loadavg()[0]?.toFixed(1)}.`)
