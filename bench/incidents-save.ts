import { deepStrictEqual } from 'node:assert'
import type pg from 'pg'
import { HEALTH_BENCH_USER } from './incidents-data.ts'
import { openComparisonTable } from './incidents-turns.ts'
import { type BenchSystem, signInToClient } from './systems.ts'

const LOOKUPS = '/api/safety/incident'
const REPORTS = '/api/safety/incident_reports'
const PEOPLE = 10

const person = (n: number) => ({
  recordType: 'IP',
  name: `Person ${n}`,
  jobClass: `${LOOKUPS}_jobclasses/1`,
  payroll: `P-${n}`,
  jobTitle: 'Bricklayer',
  sex: 2,
  dateOfBirth: '1990-02-28',
  address1: '1 High Street',
  city: 'Leeds',
  county: 'West Yorkshire',
  postcode: 'LS1 4AP',
  telephone: '01632 960001',
  incidentType: `${LOOKUPS}_types/5`,
  mainFactor: `${LOOKUPS}_mainfactors/1`,
  injurySustained: `${LOOKUPS}_injury_sustaineds/1`,
  severity: `${LOOKUPS}_severities/7`,
  injuryEffect: [4],
  bodyPart: `${LOOKUPS}_bodyparts/10`,
  description: 'Cut finger',
  specified: [],
})

const entry = () =>
  JSON.stringify({
    state: 'reported',
    description: 'Slipped on a wet floor beside the mixer',
    datetime: Temporal.Now.instant().subtract({ hours: 30 }).toString(),
    internalLocation: 'Bay 3',
    personnel: Array.from({ length: PEOPLE }, (_, n) => person(n)),
  })

type Row = Readonly<Record<string, unknown>>

/** Tables that a saved entry writes, in the order of their inserts. The number of the entry takes one more update. */
const TABLES = ['incident_report', 'incident_person', 'incident_event', 'audit', 'seal'] as const

interface Insert {
  readonly table: string
  readonly columns: readonly string[]
  readonly json: ReadonlySet<string>
  readonly rows: readonly Row[]
}

/** Reads the rows that the transaction of an entry wrote, so that they can be written again. */
async function readWrittenRows(client: pg.Client, id: number): Promise<Insert[]> {
  const { rows: all } = await client.query<{ xmin: string }>('SELECT xmin::text FROM incident_report WHERE id = $1', [
    id,
  ])
  const inserts: Insert[] = []
  for (const table of TABLES) {
    const { rows: columns } = await client.query<{ name: string; type: string }>(
      `SELECT column_name AS name, data_type AS type FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER' AND NOT (column_name = 'id' AND is_identity = 'YES')`,
      [table],
    )
    const { rows } = await client.query<Row>(`SELECT * FROM ${table} WHERE xmin::text = $1`, [all[0]?.xmin])
    const json = new Set(columns.flatMap(({ name, type }) => (type.startsWith('json') ? [name] : [])))
    inserts.push({ table, columns: columns.map(({ name }) => name), json, rows })
  }
  return inserts
}

/** Writes the same rows in one transaction, with their own number, report and position in the chain. */
async function insertRows(client: pg.Client, inserts: readonly Insert[], n: number): Promise<void> {
  await client.query('BEGIN')
  await client.query({
    name: 'number',
    text: "UPDATE sequence_counter SET last = last WHERE client_id = $1 AND name = 'incident'",
    values: [inserts[0]?.rows[0]?.client_id],
  })
  let report: unknown
  for (const { table, columns, json, rows } of inserts) {
    const own: Row = {
      number: `RAW-${n}`,
      ...(table === 'seal' ? { place: 1_000_000 + 1000 * n } : {}),
      report_id: report,
    }
    const values = rows.flatMap((row) =>
      columns.map((column) => {
        const value = column in own ? own[column] : row[column]
        return json.has(column) && value !== null ? JSON.stringify(value) : value
      }),
    )
    const places = rows.map((_, at) => `(${columns.map((_c, c) => `$${at * columns.length + c + 1}`).join(', ')})`)
    const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${places.join(', ')}${table === 'incident_report' ? ' RETURNING id' : ''}`
    const written = await client.query<{ id: unknown }>({ name: `insert ${table}`, text, values })
    report ??= written.rows[0]?.id
  }
  await client.query('COMMIT')
}

/** Compares saving an entry with ten people with a plain transaction of the same rows. */
export async function measureSaving(
  { base, process: server }: Pick<BenchSystem, 'base' | 'process'>,
  client: pg.Client,
  clientId: number,
  times: number,
): Promise<void> {
  const headers = { ...(await signInToClient(base, HEALTH_BENCH_USER, clientId)), 'content-type': 'application/json' }
  const save = async () => {
    const answer = await fetch(`${base}${REPORTS}`, { method: 'POST', headers, body: entry() })
    if (answer.status !== 201) throw new Error(await answer.text())
    return (await answer.json()) as { id: number }
  }
  const inserts = await readWrittenRows(client, (await save()).id)
  const counts = Object.fromEntries(inserts.map(({ table, rows }) => [table, rows.length]))
  deepStrictEqual([counts.incident_report, counts.incident_person, counts.seal], [1, PEOPLE, 1])
  const compare = openComparisonTable({
    title: `saving an entry with ${PEOPLE} people`,
    yardstick: 'transaction',
    goal: { limit: 3, of: 'portal ÷ yardstick' },
    times,
    client,
    portal: server.pid ?? 0,
  })
  const written = Object.entries(counts).map(([table, count]) => `${count} ${table}`)
  await compare(written.join(', '), (n) => insertRows(client, inserts, n), save)
}
