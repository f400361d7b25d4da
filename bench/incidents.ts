import { deepStrictEqual } from 'node:assert'
import type pg from 'pg'
import { ANALYSIS_URL, type IncidentAnalysis } from '#modules/incidents/analysis/analysis.ts'
import { buildMonthsFilter } from '#modules/incidents/analysis/months.ts'
import { incidentReport } from '#modules/incidents/reports/incident-report.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { type ListQuery, listQuery } from '#server/data/queries.ts'
import { chooseBulkSize, SMALL_CLIENT_ID } from './bulk-data.ts'
import { fetchJson, type BulkPortal as Portal, withBulkPortal } from './bulk-portal.ts'
import { createIncidentsDatabase, HEALTH_BENCH_USER, INCIDENTS_BENCH_USER } from './incidents-data.ts'
import { measureMemory } from './incidents-memory.ts'
import { measureSaving } from './incidents-save.ts'
import { openComparisonTable } from './incidents-turns.ts'
import { PROJECT_ROOT, signInToClient } from './systems.ts'

/*
 * Benchmark of incidents. Compares lists and searches with the same statements through the database driver alone, the
 * analysis with one plain GROUP BY over the client's incidents, and saving an entry with ten people with a plain
 * transaction of the same rows, on the same PostgreSQL server in the same run. Asserts only that both count the same.
 * Finally measures the portal's memory while many people report incidents with photos. `--quick` uses 100 000 incidents
 * instead of 1 000 000, and fewer people.
 */
const QUICK = process.argv.includes('--quick')
const size = chooseBulkSize(QUICK)
const TIMES = 120
const REPORTERS = QUICK ? 10 : 50

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

const tableOf = ({ process }: Portal, client: pg.Client) => ({ times: TIMES, client, portal: process.pid ?? 0 })

async function compareLists(ours: Portal, client: pg.Client): Promise<void> {
  const compare = openComparisonTable({
    title: `list of ${size.records.toLocaleString('en-GB')} incidents`,
    yardstick: 'driver',
    goal: { limit: 0.6, of: 'yardstick ÷ portal' },
    ...tableOf(ours, client),
  })
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
      await compare(`${whose}, ${what} (${total.toLocaleString('en-GB')})`, alone, through)
    }
  }
}

const GROUPS = `SELECT incident_type_id, count(*)::int AS n FROM incident_report
  WHERE client_id = $1 AND NOT retired AND reported_at IS NOT NULL AND happened_at >= $2 AND happened_at < $3 GROUP BY 1`

async function compareAnalysis(ours: Portal, client: pg.Client): Promise<void> {
  const compare = openComparisonTable({
    title: 'analysis',
    yardstick: 'GROUP BY',
    goal: { limit: 8, of: 'portal ÷ yardstick' },
    ...tableOf(ours, client),
  })
  const today = Temporal.Now.plainDateISO('Europe/London')
  const twelve = { from: today.subtract({ months: 11 }).toString().slice(0, 7), to: today.toString().slice(0, 7) }
  const { 'datetime[after]': from, 'datetime[strictly_before]': before } = buildMonthsFilter('datetime', twelve)
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
      await compare(`${whose}, ${what} (${total.toLocaleString('en-GB')})`, alone, through)
    }
}

await withBulkPortal(
  (postgresUrl) => {
    console.log(`Creating ${size.records.toLocaleString('en-GB')} incidents …`)
    return createIncidentsDatabase(postgresUrl, PROJECT_ROOT, size)
  },
  async (ours, client) => {
    await compareLists(ours, client)
    await compareAnalysis(ours, client)
    await measureSaving(ours, client, size.large.at(-1) as number, TIMES)
    await measureMemory(ours, SMALL_CLIENT_ID, REPORTERS)
  },
)
