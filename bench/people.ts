import { deepStrictEqual } from 'node:assert'
import type pg from 'pg'
import { employee } from '#modules/people/employees/employee.ts'
import { CALENDAR_URL, type LeaveCalendar } from '#modules/people/leave-calendar/calendar.ts'
import { type LeaveReport, REPORT_URL } from '#modules/people/leave-report/report.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { type ListQuery, listQuery } from '#server/data/queries.ts'
import { chooseBulkSize, SMALL_CLIENT_ID } from './bulk-data.ts'
import { fetchJson, type BulkPortal as Portal, withBulkPortal } from './bulk-portal.ts'
import { openComparisonTable } from './incidents-turns.ts'
import { measureManyChanges } from './people-changes.ts'
import { addLeave, createPeopleDatabase, HR_BENCH_USER, LEAVE_PEOPLE, leaveDepartment } from './people-data.ts'
import { measureSynchronisation } from './people-memory.ts'
import { PROJECT_ROOT, signInToClient, waitForSchedules } from './systems.ts'

/*
 * Benchmark of employees and leave. Compares lists and searches with the same statements through the database driver
 * alone, the calendar of a year and the balances of 800 people with one plain statement each, a mass update with one bulk
 * UPDATE and an import with COPY, on the same PostgreSQL server in the same run. Finally measures the portal's memory
 * while 300 phones send their stored requests. `--quick` uses 100 000 employees instead of 1 000 000; `--records=300000` any
 * other number.
 */
const QUICK = process.argv.includes('--quick')
const asked = process.argv.find((one) => one.startsWith('--records='))
const chosen = chooseBulkSize(QUICK)
const size = asked ? { ...chosen, records: Number(asked.slice('--records='.length)) } : chosen
const TIMES = QUICK ? 40 : 80
const LARGE_CLIENT_ID = size.large.at(-1) as number
const TODAY = Temporal.Now.plainDateISO('Europe/London')

/** Returns the statements that the list of employees runs for human resources. */
function statementsOf(clientId: number, query: RequestQuery): ListQuery {
  const packs = { employees: 'active', safety: 'active', holidays: 'active' } as const
  const who = { userId: 0, clientId, username: 'hr', name: '', roles: ['ROLE_HR'], scopes: [], packs }
  const made = listQuery(employee, who, query, { limit: 30, offset: 0 })
  if (!made) throw new Error('This actor can see no employees.')
  return made
}

const tableOf = ({ process }: Portal, client: pg.Client) => ({ times: TIMES, client, portal: process.pid ?? 0 })

async function compareLists(ours: Portal, client: pg.Client): Promise<void> {
  const compare = openComparisonTable({
    title: `list of ${size.records.toLocaleString('en-GB')} employees`,
    yardstick: 'driver',
    goal: { limit: 0.6, of: 'yardstick ÷ portal' },
    ...tableOf(ours, client),
  })
  for (const [whose, id] of [
    ['small client', SMALL_CLIENT_ID],
    ['client with 20,000 employees', LARGE_CLIENT_ID],
  ] as const) {
    const headers = await signInToClient(ours.base, HR_BENCH_USER, id)
    for (const [what, word] of [
      ['list', ''],
      ['search, rare word', '7a3'],
      ['search, common word', 'fletcher'],
    ] as const) {
      const query = { retired: 'false', ...(word ? { q: word } : {}) }
      const { counted, searched } = statementsOf(id, query)
      // The statement that the portal sends: a page with its total, up to the limit above which totals are cached.
      const { query: statement, values } = searched?.found() ?? { ...counted, values: [...counted.values, null] }
      const alone = () =>
        client.query<unknown[]>({ name: `list ${word}`, text: statement.text, values: [...values], rowMode: 'array' })
      const path = `${employee.url}?${new URLSearchParams(query)}`
      const through = () => fetchJson<{ 'hydra:totalItems': number; 'hydra:member': unknown[] }>(ours, headers, path)
      const [rows, mine] = [(await alone()).rows, await through()]
      deepStrictEqual(mine['hydra:member'].length, rows.length)
      await compare(`${whose}, ${what} (${mine['hydra:totalItems'].toLocaleString('en-GB')})`, alone, through)
    }
  }
}

const YEAR_OF_LEAVE = `SELECT e.id, e.name, p.first_day::text, p.last_day::text, p.portion, r.state, r.kind_id
  FROM employee e LEFT JOIN leave_request_part p ON p.client_id = e.client_id AND p.employee_id = e.id AND p.live AND p.last_day >= $3 AND p.first_day <= $4
    LEFT JOIN leave_request r ON r.client_id = p.client_id AND r.id = p.request_id
  WHERE e.client_id = $1 AND e.department_id = $2 AND NOT e.retired ORDER BY e.surname, e.forename, e.id`

async function compareCalendar(ours: Portal, client: pg.Client): Promise<void> {
  const compare = openComparisonTable({
    title: `calendar of a year, ${LEAVE_PEOPLE} people`,
    yardstick: 'query',
    goal: { limit: 3, of: 'portal ÷ yardstick' },
    ...tableOf(ours, client),
  })
  const headers = await signInToClient(ours.base, HR_BENCH_USER, LARGE_CLIENT_ID)
  const [from, until] = [`${TODAY.year}-01-01`, `${TODAY.year}-12-31`]
  const department = leaveDepartment(LARGE_CLIENT_ID)
  const values = [LARGE_CLIENT_ID, department, from, until]
  const alone = () => client.query({ name: 'calendar', text: YEAR_OF_LEAVE, values, rowMode: 'array' })
  const path = `${CALENDAR_URL}?${new URLSearchParams({ from, until, department: String(department) })}`
  const through = () => fetchJson<LeaveCalendar>(ours, headers, path)
  const [{ rows }, mine] = [await alone(), await through()]
  deepStrictEqual([mine.lanes.length, mine.absences.length], [LEAVE_PEOPLE, rows.length])
  await compare(`${mine.absences.length.toLocaleString('en-GB')} absences`, alone, through)
}

const SUM_OF_LEDGER = `SELECT e.employee_id::int AS id, sum(e.minutes)::int AS left FROM leave_entry e
  WHERE e.client_id = $1 AND e.year = $3 AND e.employee_id IN (SELECT id FROM employee WHERE client_id = $1 AND department_id = $2) GROUP BY 1`

async function compareBalances(ours: Portal, client: pg.Client): Promise<void> {
  const compare = openComparisonTable({
    title: `balances of ${LEAVE_PEOPLE} people`,
    yardstick: 'sum',
    goal: { limit: 4, of: 'portal ÷ yardstick' },
    ...tableOf(ours, client),
  })
  const headers = await signInToClient(ours.base, HR_BENCH_USER, LARGE_CLIENT_ID)
  const department = leaveDepartment(LARGE_CLIENT_ID)
  const values = [LARGE_CLIENT_ID, department, `${TODAY.year}-01-01`]
  const alone = () => client.query<{ id: number; left: number }>({ name: 'balances', text: SUM_OF_LEDGER, values })
  const through = () => fetchJson<LeaveReport>(ours, headers, `${REPORT_URL}?department=${department}`)
  const [{ rows }, mine] = [await alone(), await through()]
  const byId = (all: readonly (readonly [number, number])[]) => all.toSorted(([a], [b]) => a - b)
  deepStrictEqual(
    byId(mine.rows.map(({ employee: id, left }) => [id, left])),
    byId(rows.map(({ id, left }) => [id, left])),
  )
  deepStrictEqual(mine.rows.length, LEAVE_PEOPLE)
  await compare('report of a leave year', alone, through)
}

/** Makes the portal recount the ledgers, by changing a rule of the company. */
async function countLedgers(ours: Portal): Promise<void> {
  const headers = await signInToClient(ours.base, HR_BENCH_USER, LARGE_CLIENT_ID)
  const answer = await fetch(`${ours.base}/api/employees/leave_settings/${LARGE_CLIENT_ID}`, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ additionalDays: 1 }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  await waitForSchedules(ours)
}

await withBulkPortal(
  (postgresUrl) => {
    console.log(`Creating ${size.records.toLocaleString('en-GB')} employees …`)
    return createPeopleDatabase(postgresUrl, PROJECT_ROOT, size)
  },
  async (ours, client) => {
    await addLeave(client, size, LARGE_CLIENT_ID, TODAY.year)
    await compareLists(ours, client)
    await countLedgers(ours)
    await client.query('VACUUM ANALYZE leave_entry')
    await compareCalendar(ours, client)
    await compareBalances(ours, client)
    await measureManyChanges(ours, client, LARGE_CLIENT_ID)
    await measureSynchronisation(ours, LARGE_CLIENT_ID)
  },
)
