import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startTemporaryPostgres } from '../../scripts/postgres.mjs'
import { comparePairedMeasurements } from '../pairs.ts'
import {
  type BenchOperation,
  type BenchSystem,
  buildDatabaseUrl,
  draw,
  load,
  type RandomValues,
  start,
  tidy,
} from '../systems.ts'
import { findSafeguardSwitchIndexes, SAFEGUARDS, type Safeguard } from './list.ts'

/*
 * Cost of each safeguard. Sends pairs of single requests, with all safeguards and without one, in random order, and
 * compares the total processor time of the server and its database processes. Safeguards in the source are switched
 * within one server; safeguards in the database are removed from a copy that a second server uses. Control lines
 * compare identical requests, and their cost must be zero. At the end, the limit is measured in the same way.
 * `--walls=lease,tag` measures only safeguards whose name contains one of these words.
 */
const quick = process.argv.includes('--quick')
const PAIRS = quick ? 250 : 1200
/**
 * Number of warm-up pairs: `fresh` for new servers and for operations not measured before; `known` for operations that
 * the server has run before, but perhaps with different statements.
 */
const WARM = quick ? { fresh: 200, known: 40 } : { fresh: 1000, known: 100 }
const SETTINGS = [
  'shared_buffers=1GB',
  'work_mem=32MB',
  'max_connections=100',
  'max_wal_size=4GB',
  'random_page_cost=1.1',
]
const ARGS = ['bench/guarded-server.ts', 'walls/list.ts', 'SAFEGUARD_SWITCHES']
const words = process.argv
  .find((o) => o.startsWith('--walls='))
  ?.slice(8)
  .split(',')
const chosen = SAFEGUARDS.filter(({ name }) => !words || words.some((word) => name.includes(word)))
const agent = new Agent({ keepAlive: true })

/** A system to measure, and the processes whose processor time is measured. */
interface Side {
  readonly system: BenchSystem
  readonly off: readonly number[]
  readonly headers: ((n: number) => Record<string, string>) | undefined
  readonly backends: Set<number>
}

/** Returns the processor time of all threads of a process in nanoseconds, or 0 if the process has ended. */
function timeOf(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/schedstat`)
    return threads.reduce((sum, file) => sum + Number(readFileSync(file, 'utf8').split(' ')[0]), 0)
  } catch {
    return 0
  }
}

let asked = 0
async function ask(
  { system: { base, headers, shots }, off, headers: given }: Side,
  figure: BenchOperation,
  drawn: RandomValues,
) {
  const { method, path, body } = shots[figure](drawn)
  const json = body === undefined ? undefined : JSON.stringify(body)
  const more = json ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) } : {}
  const all = { ...headers, ...more, ...given?.(asked++), 'x-guards-off': off.join(' ') }
  const sent = request(base + path, { method, agent, headers: all })
  sent.end(json)
  const [response] = await once(sent, 'response')
  response.resume()
  await once(response, 'end')
  if ((response.statusCode as number) >= 300) throw new Error(`${figure}: ${response.statusCode}`)
}

/** Measures the microseconds of processor time for a request, including work done after the response. */
async function costOf(side: Side, figure: BenchOperation, drawn: RandomValues): Promise<number> {
  const spent = () => [side.system.process.pid as number, ...side.backends].reduce((sum, pid) => sum + timeOf(pid), 0)
  const before = spent()
  await ask(side, figure, drawn)
  await sleep(1)
  return (spent() - before) / 1000
}

async function pairsOf(withIt: Side, without: Side, figure: BenchOperation, count: number) {
  const pairs: [number, number][] = []
  for (let n = 0; n < count; n++) {
    const drawn = draw()
    // The second request of a pair concerns the same record, with other values.
    const other = { ...draw(), id: drawn.id, owner: drawn.owner, term: drawn.term }
    if (Math.random() < 0.5) pairs.push([await costOf(withIt, figure, drawn), await costOf(without, figure, other)])
    else {
      const second = await costOf(without, figure, drawn)
      pairs.push([await costOf(withIt, figure, other), second])
    }
  }
  return pairs
}

const postgres = await startTemporaryPostgres(SETTINGS)
const admin = new pg.Client({ connectionString: postgres.url })
await admin.connect()

const sideOf = async (system: BenchSystem, { texts, headers }: Partial<Safeguard> = {}): Promise<Side> => ({
  system,
  off: texts ? findSafeguardSwitchIndexes({ name: '', figures: [], texts }) : [],
  headers,
  backends: new Set(
    (
      await admin.query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE datname = $1', [
        system.database.split('/').at(-1),
      ])
    ).rows.map(({ pid }) => pid),
  ),
})

/** Starts a server on a fresh copy of the database; `sql` may remove a safeguard from it. */
async function startOnCopy(from: string, name: string, port: number, sql = ''): Promise<BenchSystem> {
  await admin.query(`CREATE DATABASE ${name} TEMPLATE bench_ours`)
  const database = buildDatabaseUrl(from, name)
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query(sql)
  await client.query('ANALYZE')
  await client.end()
  return start('ours', database, { port, args: ARGS })
}

async function endCopy(system: BenchSystem): Promise<void> {
  await system.stop()
  await admin.query(`DROP DATABASE ${system.database.split('/').at(-1)} WITH (FORCE)`)
}

/** Operations measured so far. On the same server, they need a shorter warm-up. */
const seen = new Set<BenchOperation>()

async function compareFigure(
  name: string,
  figure: BenchOperation,
  whole: BenchSystem,
  other: BenchSystem,
  wall: Partial<Safeguard>,
) {
  for (const system of new Set([whole, other])) await tidy(system)
  const sides = async () => [await sideOf(whole), await sideOf(other, wall)] as const
  await pairsOf(...(await sides()), figure, whole === other && seen.has(figure) ? WARM.known : WARM.fresh)
  seen.add(figure)
  // The IDs of the database processes are read again, because the pool has opened its connections by now.
  const found = comparePairedMeasurements(await pairsOf(...(await sides()), figure, PAIRS))
  const saved = found.cost * found.without
  console.log(
    `| ${name} | ${figure} | ${found.with.toFixed(0)} | ${found.without.toFixed(0)} | **${saved.toFixed(0)}** (${(found.low * found.without).toFixed(0)} to ${(found.high * found.without).toFixed(0)}) |`,
  )
}

try {
  const at = await load(postgres.url, quick ? 100_000 : 1_000_000)
  const whole = await startOnCopy(at.ours, 'bench_whole', 4721)
  console.log('| switched off | operation | µs with | µs without | cost, µs (95 % interval) |')
  console.log('|---|---|---|---|---|')
  for (const wall of chosen) {
    // Both servers must be equally new, because plans, compiled code and cached pages depend on use.
    const here = wall.sql ? await startOnCopy(at.ours, 'bench_with', 4722) : whole
    const there = wall.sql ? await startOnCopy(at.ours, 'bench_without', 4723, wall.sql) : whole
    for (const figure of wall.figures) await compareFigure(wall.name, figure, here, there, wall)
    if (wall.sql) for (const system of [here, there]) await endCopy(system)
  }
  const limit = await start('limit', at.limit)
  for (const figure of ['list', 'get', 'search', 'create', 'update', 'process'] as const)
    await compareFigure('everything (compared with the limit)', figure, whole, limit, {})
  await Promise.all([whole.stop(), limit.stop()])
} finally {
  agent.destroy()
  await admin.end()
  await postgres.stop()
}
