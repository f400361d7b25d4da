import { deepStrictEqual } from 'node:assert'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { MATRIX_URL, type TrainingMatrix } from '#modules/training/matrix/matrix.ts'
import { trainingRecord } from '#modules/training/records/record.ts'
import { listQuery } from '#server/data/queries.ts'
import { chooseBulkSize, SMALL_CLIENT_ID } from './bulk-data.ts'
import { fetchJson, type BulkPortal as Portal, withBulkPortal } from './bulk-portal.ts'
import { readServerMemory } from './incidents-memory.ts'
import { openComparisonTable } from './incidents-turns.ts'
import { PROJECT_ROOT, signInToClient } from './systems.ts'
import {
  createTrainingDatabase,
  MATRIX_CLIENT_ID,
  MATRIX_COURSES,
  MATRIX_PEOPLE,
  openSafety,
  TRAINING_BENCH_USER,
} from './training-data.ts'

/*
 * Benchmark of training. Compares the matrix of 800 people and 30 courses with one plain query of its people and
 * records, and lists of records with the same statements through the database driver alone, on the same PostgreSQL
 * server in the same run. Then measures the memory that the portal needs for the matrix. `--quick` uses 100 000 records
 * instead of 1 000 000.
 */
const QUICK = process.argv.includes('--quick')
const size = chooseBulkSize(QUICK)
const TIMES = QUICK ? 40 : 80
const MEMORY_READS = 20
const MEMORY_GOAL_MIB = 32
const SAMPLE_MS = 20
/** Milliseconds after the warm-up until the memory is measured. */
const REST_MS = 5000

type Headers = Awaited<ReturnType<typeof signInToClient>>

const tableOf = ({ process }: Portal, client: pg.Client) => ({ times: TIMES, client, portal: process.pid ?? 0 })

const ROWS_OF_MATRIX = `SELECT e.id, e.name, r.id, r.course_id, r.result, r.completed_on::text, r.valid_until::text
  FROM employee e LEFT JOIN training_record r ON r.client_id = e.client_id AND r.employee_id = e.id
  WHERE e.client_id = $1 AND NOT e.retired ORDER BY e.name, e.id, r.course_id`

async function compareMatrix(ours: Portal, client: pg.Client, headers: Headers): Promise<void> {
  const compare = openComparisonTable({
    title: `matrix of ${MATRIX_PEOPLE} people and ${MATRIX_COURSES} courses`,
    yardstick: 'query',
    goal: { limit: 4, of: 'portal ÷ yardstick' },
    ...tableOf(ours, client),
  })
  const alone = () =>
    client.query({ name: 'matrix', text: ROWS_OF_MATRIX, values: [MATRIX_CLIENT_ID], rowMode: 'array' })
  const through = () => fetchJson<TrainingMatrix>(ours, headers, MATRIX_URL)
  const mine = await through()
  deepStrictEqual([mine.people.length, mine.courses.length], [MATRIX_PEOPLE, MATRIX_COURSES])
  deepStrictEqual(mine.cells.length, MATRIX_PEOPLE * MATRIX_COURSES)
  await compare(`${mine.cells.length.toLocaleString('en-GB')} cells`, alone, through)
}

async function compareLists(ours: Portal, client: pg.Client): Promise<void> {
  const compare = openComparisonTable({
    title: `list of ${size.records.toLocaleString('en-GB')} training records`,
    yardstick: 'driver',
    goal: { limit: 0.6, of: 'yardstick ÷ portal' },
    ...tableOf(ours, client),
  })
  for (const [whose, clientId] of [
    ['small client', SMALL_CLIENT_ID],
    ['client of the matrix', MATRIX_CLIENT_ID],
  ] as const) {
    const headers = await signInToClient(ours.base, TRAINING_BENCH_USER, clientId)
    const who = { userId: 0, clientId, username: 'training', name: '', roles: ['ROLE_TRAINING'], scopes: [] }
    const made = listQuery(trainingRecord, { ...who, packs: { safety: 'active' } }, {}, { limit: 30, offset: 0 })
    if (!made) throw new Error('This actor can see no training records.')
    const {
      query: { text },
      values,
    } = made.counted
    const alone = () => client.query<unknown[]>({ name: 'list', text, values: [...values, null], rowMode: 'array' })
    const through = () =>
      fetchJson<{ 'hydra:totalItems': number; 'hydra:member': unknown[] }>(ours, headers, trainingRecord.url)
    const [rows, mine] = [(await alone()).rows, await through()]
    deepStrictEqual(mine['hydra:member'].length, rows.length)
    await compare(`${whose} (${mine['hydra:totalItems'].toLocaleString('en-GB')})`, alone, through)
  }
}

async function measureMemory(ours: Portal, headers: Headers): Promise<void> {
  const pid = ours.process.pid ?? 0
  for (let n = 0; n < MEMORY_READS; n++) await fetchJson(ours, headers, MATRIX_URL)
  await sleep(REST_MS)
  const before = readServerMemory(pid).server
  let largest = before
  const sampling = setInterval(() => {
    largest = Math.max(largest, readServerMemory(pid).server)
  }, SAMPLE_MS)
  for (let n = 0; n < MEMORY_READS; n++) await fetchJson(ours, headers, MATRIX_URL)
  clearInterval(sampling)
  const growth = largest - before
  console.log('\n| memory | server before, MiB | largest | growth | goal |\n|---|---|---|---|---|')
  console.log(
    `| matrix, ${MEMORY_READS} times | ${before.toFixed(0)} | ${largest.toFixed(0)} | **${growth.toFixed(0)}**${growth <= MEMORY_GOAL_MIB ? '' : ' (short)'} | ≤ ${MEMORY_GOAL_MIB} |`,
  )
}

await withBulkPortal(
  (postgresUrl) => {
    console.log(`Creating ${size.records.toLocaleString('en-GB')} training records …`)
    return createTrainingDatabase(postgresUrl, PROJECT_ROOT, size)
  },
  async (ours, client) => {
    await openSafety(client, [SMALL_CLIENT_ID, MATRIX_CLIENT_ID])
    await compareLists(ours, client)
    const headers = await signInToClient(ours.base, TRAINING_BENCH_USER, MATRIX_CLIENT_ID)
    await compareMatrix(ours, client, headers)
    await measureMemory(ours, headers)
  },
)
