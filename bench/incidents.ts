import { deepStrictEqual } from 'node:assert'
import pg from 'pg'
import { ANALYSIS_URL, type IncidentAnalysis } from '#modules/incidents/analysis/analysis.ts'
import { monthsFilter } from '#modules/incidents/analysis/months.ts'
import { incidentReport } from '#modules/incidents/reports/incident-report.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { type ListQuery, listQuery } from '#server/data/queries.ts'
import { startTemporaryPostgres } from '../scripts/postgres.mjs'
import {
  chooseIncidentCounts,
  createIncidentsDatabase,
  HEALTH_BENCH_USER,
  INCIDENTS_BENCH_USER,
  INCIDENTS_POSTGRES_SETTINGS,
  SMALL_CLIENT_ID,
} from './incidents-data.ts'
import { measureSaving } from './incidents-save.ts'
import { comparisonHeadings, formatComparison, measureByTurns } from './incidents-turns.ts'
import { PROJECT_ROOT, signInToClient, start, waitForSchedules } from './systems.ts'

/*
 * Benchmark of incidents. Compares lists and searches with the same statements through the database driver alone, the
 * analysis with one plain GROUP BY over the client's incidents, and saving an entry with ten people with a plain
 * transaction of the same rows, on the same PostgreSQL server in the same run. Asserts only that both count the same.
 * `--quick` uses 100 000 incidents instead of 1 000 000.
 */
const QUICK = process.argv.includes('--quick')
const size = chooseIncidentCounts(QUICK)
const TIMES = 120
const { pid } = process
const LIST_GOAL = 0.6
const ANALYSIS_GOAL = 8

type Portal = Awaited<ReturnType<typeof start>>
type Headers = Awaited<ReturnType<typeof signInToClient>>

async function fetchJson<T>({ base }: Portal, headers: Headers, path: string): Promise<T> {
  const answer = await fetch(base + path, { headers })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as T
}

/** Returns the statements that the list of incidents runs for a client's administrator. */
function statementsOf(clientId: number, query: RequestQuery): ListQuery {
  const { username } = INCIDENTS_BENCH_USER
  const packs = { safety: 'active' } as const
  const who = { userId: 0, clientId, username, name: '', roles: ['ROLE_CLIENT_ADMIN'], scopes: [], packs }
  const made = listQuery(incidentReport, who, query, { limit: 30, offset: 0 })
  if (!made) throw new Error('This actor can see no incidents.')
  return made
}

const WHOSE = [
  ['small client', SMALL_CLIENT_ID],
  ['client with 20,000 incidents', size.large.at(-1) as number],
] as const

async function compareLists(ours: Portal, client: pg.Client): Promise<void> {
  console.log(
    `\n| list of ${size.incidents.toLocaleString('en-GB')} incidents | ${comparisonHeadings('driver', 'portal', 'driver ÷ portal')} | goal |\n${'|---'.repeat(8)}|`,
  )
  for (const [whose, id] of WHOSE) {
    const headers = await signInToClient(ours.base, INCIDENTS_BENCH_USER, id)
    for (const [what, word] of [
      ['list', ''],
      ['search, rare word', '7a3'],
      ['search, common word', 'scaffold'],
      ['search, number', 'INC-0000012'],
    ] as const) {
      const query = { retired: 'false', ...(word ? { q: word } : {}) }
      const { counted, searched, count } = statementsOf(id, query)
      // The statement that the portal sends: a page with its total, up to the limit above which totals are cached.
      const { query: statement, values } = searched?.found() ?? { ...counted, values: [...counted.values, null] }
      const alone = () =>
        client.query<unknown[]>({ name: `list ${word}`, text: statement.text, values: [...values], rowMode: 'array' })
      const path = `/api/safety/incident_reports?${new URLSearchParams(query)}`
      const through = () => fetchJson<{ 'hydra:totalItems': number; 'hydra:member': unknown[] }>(ours, headers, path)
      const [rows, mine] = [(await alone()).rows, await through()]
      deepStrictEqual(mine['hydra:member'].length, rows.length)
      const { rows: whole } = await client.query<[string]>({
        text: count.whole.query.text,
        values: [...count.whole.values],
        rowMode: 'array',
      })
      const total = Number(whole[0]?.[0])
      deepStrictEqual(mine['hydra:totalItems'], total)
      const measured = await measureByTurns(
        client,
        TIMES,
        { run: alone, pid },
        { run: through, pid: ours.process.pid ?? 0 },
      )
      console.log(
        `| ${whose}, ${what} (${total.toLocaleString('en-GB')}) | ${formatComparison(
          measured,
          (driver, portal) => driver / portal,
          (ratio) => ratio >= LIST_GOAL,
        )} | ≥ ${LIST_GOAL} |`,
      )
    }
  }
}

const GROUPS = `SELECT incident_type_id, count(*)::int AS n FROM incident_report
  WHERE client_id = $1 AND NOT retired AND reported_at IS NOT NULL AND happened_at >= $2 AND happened_at < $3 GROUP BY 1`

async function compareAnalysis(ours: Portal, client: pg.Client): Promise<void> {
  console.log(
    `\n| analysis | ${comparisonHeadings('GROUP BY', 'portal', 'portal ÷ GROUP BY')} | goal |\n${'|---'.repeat(8)}|`,
  )
  const today = Temporal.Now.plainDateISO('Europe/London')
  const twelve = { from: today.subtract({ months: 11 }).toString().slice(0, 7), to: today.toString().slice(0, 7) }
  const { 'datetime[after]': from, 'datetime[strictly_before]': before } = monthsFilter('datetime', twelve)
  for (const [whose, id] of WHOSE)
    for (const [what, user] of [
      ['reader of health details', HEALTH_BENCH_USER],
      ['other author', INCIDENTS_BENCH_USER],
    ] as const) {
      const headers = await signInToClient(ours.base, user, id)
      const alone = async () =>
        (await client.query<{ n: number }>({ name: 'groups', text: GROUPS, values: [id, from, before] })).rows
      const through = () => fetchJson<IncidentAnalysis>(ours, headers, ANALYSIS_URL)
      const [rows, mine] = [await alone(), await through()]
      const total = rows.reduce((sum, { n }) => sum + n, 0)
      deepStrictEqual([mine.incidents.count, mine.groups.kind.length], [total, rows.length])
      const measured = await measureByTurns(
        client,
        TIMES,
        { run: alone, pid },
        { run: through, pid: ours.process.pid ?? 0 },
      )
      console.log(
        `| ${whose}, ${what} (${total.toLocaleString('en-GB')}) | ${formatComparison(
          measured,
          (plain, portal) => portal / plain,
          (ratio) => ratio <= ANALYSIS_GOAL,
        )} | ≤ ${ANALYSIS_GOAL} |`,
      )
    }
}

const postgres = await startTemporaryPostgres(INCIDENTS_POSTGRES_SETTINGS)
try {
  console.log(`Creating ${size.incidents.toLocaleString('en-GB')} incidents …`)
  const database = await createIncidentsDatabase(postgres.url, PROJECT_ROOT, size)
  const client = new pg.Client({ connectionString: database })
  // If a run fails, the server stops first. The resulting connection error must not hide the original error.
  client.on('error', () => {})
  await client.connect()
  const ours = await start('ours', database)
  try {
    await waitForSchedules(ours)
    await compareLists(ours, client)
    await compareAnalysis(ours, client)
    await measureSaving(ours, client, size.large.at(-1) as number, TIMES)
  } finally {
    await ours.stop()
  }
  await client.end()
} finally {
  await postgres.stop()
}
