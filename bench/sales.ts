import { deepStrictEqual } from 'node:assert'
import { readActivityTotals } from '#modules/sales/figures/figures.server.ts'
import { testPortal } from '#test/support/portal.ts'
import startPostgres from '#test/support/postgres.ts'

/*
 * Calls by person and month in a client's notes: compares the stored counts, which are updated on each write, with
 * counting the notes; both must agree. `--notes=20000` gives a shorter run. TEST_DATABASE_URL names a database server;
 * without it, the benchmark starts one.
 */
const given = process.argv.find((arg) => arg.startsWith('--notes='))?.slice('--notes='.length)
const NOTES = Number(given ?? (process.argv.includes('--quick') ? 100_000 : 1_000_000))
const PEOPLE = 100
const TIMES = 21
const GOAL_MS = 50

await startPostgres()
const portal = await testPortal()
const client = await portal.client()
const manager = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_SALES_ADMIN'] }))
const sql = <T>(text: string, values: readonly unknown[] = []) =>
  portal.db.tx('system', (tx) => tx.rows<T>(text, values))
await sql(
  "INSERT INTO staff (client_id, username, name) SELECT $1, 'bench.' || i, 'Seller ' || i FROM generate_series(1, $2::int) i",
  [client.id, PEOPLE],
)
const [lead] = await sql<{ id: number }>(
  "INSERT INTO contact (client_id, company_name) VALUES ($1, 'x') RETURNING id",
  [client.id],
)
const [first] = await sql<{ id: number }>('SELECT min(id) AS id FROM staff WHERE client_id = $1', [client.id])
const began = performance.now()
await sql(
  `INSERT INTO note (client_id, contact_id, user_id, last_result_id, minutes, timestamp)
   SELECT $1, $2, $3::bigint + i % $4::int, (ARRAY[3, 5, 31, 47, 43, 4, 30, 48, 40, 54])[1 + i % 10], i % 9, timestamptz '2026-01-01' + make_interval(mins => ((i::bigint * 7919) % 524160)::int)
   FROM generate_series(1, $5::int) i`,
  [client.id, lead?.id, first?.id, PEOPLE, NOTES],
)
const filled = performance.now() - began
await portal.runSchedule('sales.fold')

const RAW = `SELECT 'call' AS what, user_id::int AS person, date_trunc('month', timestamp AT TIME ZONE 'Europe/London')::date::text AS "from", last_result_id::text AS kind,
    count(*)::int AS count, sum(minutes)::float8 AS amount
  FROM note WHERE client_id = $1 AND call AND NOT retired AND timestamp >= '2026-01-01' AND timestamp < '2027-01-01' GROUP BY 2, 3, 4`
const year = { from: '2026-01-01', to: '2026-12-31' }
const own = { clientId: client.id }
const raw = () => portal.db.tx(own, (tx) => tx.rows(RAW, [client.id]))
const ours = () => portal.db.tx(own, (tx) => readActivityTotals(tx, client.id, 'month', year, undefined))
const route = () => manager.get('/api/sales/users/month?date=2026-01-01')
const inOrder = (work: readonly object[]) => work.map((one) => JSON.stringify(one)).sort()
deepStrictEqual(inOrder(await ours()), inOrder(await raw()))

async function middle(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < TIMES; n++) {
    const from = performance.now()
    await work()
    times.push(performance.now() - from)
  }
  return times.toSorted((a, b) => a - b)[TIMES >> 1] ?? 0
}
const [counted, recount, asked] = [await middle(ours), await middle(raw), await middle(route)]
console.log(
  `\n| activity by user and month from ${NOTES.toLocaleString('en-GB')} notes, verified by a recount | median, ms | goal, ms |`,
)
console.log('|---|---|---|')
console.log(`| from the stored counts | **${counted.toFixed(1)}** | ≤ ${GOAL_MS} |`)
console.log(`| the API route, with names and totals | ${asked.toFixed(1)} | |`)
console.log(`| counted from the notes | ${recount.toFixed(1)} (${(recount / counted).toFixed(0)} ×) | |`)
console.log(`\nThe notes and their counts were written in ${(filled / 1000).toFixed(1)} s.`)
await portal.app.close()
await portal.db.close()
process.exit(0)
