import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'
import { startTemporaryPostgres } from '../scripts/postgres.mjs'
import {
  type BenchOperation,
  type BenchSystem,
  copyPortalDatabase,
  draw,
  load,
  start,
  tidy,
  waitForSchedules,
} from './systems.ts'
import { medianTime } from './times.ts'

/*
 * Compares the portal with two yardsticks on the same PostgreSQL server in the same run. The limit is a minimal
 * hand-written server with the same rows. The twin, used for writes, is also hand-written and writes the same data as
 * the portal. Prints ratios and asserts nothing. `node bench/contacts.ts --quick` takes three seconds for each figure
 * instead of ten.
 */
const quick = process.argv.includes('--quick')
const SECONDS = quick ? 3 : 10
const CONNECTIONS = 16

/** Target for the portal's throughput, as a share of the twin's for writes and of the limit's for reads. */
const GOALS: Record<BenchOperation, { readonly of: 'limit' | 'twin'; readonly share: number }> = {
  list: { of: 'limit', share: 0.6 },
  get: { of: 'limit', share: 0.5 },
  search: { of: 'limit', share: 0.7 },
  notes: { of: 'limit', share: 0.5 },
  create: { of: 'twin', share: 0.6 },
  update: { of: 'twin', share: 0.6 },
  process: { of: 'twin', share: 0.6 },
}
/** Ratios before any optimisation (ADR 69). */
const AT_FIRST: Record<BenchOperation, number> = {
  list: 0.44,
  get: 0.43,
  search: 0.32,
  notes: 0.53,
  create: 0.22,
  update: 0.35,
  process: 0.28,
}
/** Figures before any optimisation: start-up in milliseconds, and memory in MiB when idle and under load. */
const START_AT_FIRST = { cold: 629, idle: 178, loaded: 228 }

/** PostgreSQL settings as in production, with full durability. */
const SETTINGS = [
  'shared_buffers=1GB',
  'effective_cache_size=8GB',
  'work_mem=32MB',
  'maintenance_work_mem=512MB',
  'max_connections=100',
  'random_page_cost=1.1',
  'max_wal_size=4GB',
]

const rss = (s: BenchSystem) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${s.process.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

async function throughput(s: BenchSystem, figure: BenchOperation): Promise<{ perSecond: number; failed: number }> {
  const requests = Array.from({ length: 300 }, () => {
    const { method, path, body } = s.shots[figure](draw())
    const json = body === undefined ? undefined : JSON.stringify(body)
    return {
      method,
      path,
      headers: { ...s.headers, ...(json ? { 'content-type': 'application/json' } : {}) },
      body: json,
    }
  })
  const result = await autocannon({
    url: s.base,
    connections: CONNECTIONS,
    duration: SECONDS,
    setupClient: (client: { setRequests: (r: typeof requests) => void }) => client.setRequests(requests),
  })
  return { perSecond: result['2xx'] / result.duration, failed: result.non2xx + result.errors }
}

/** Returns the median duration of single requests in milliseconds, sent one after another. */
async function median(s: BenchSystem, figure: BenchOperation): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < (quick ? 150 : 600); i++) {
    const { method, path, body } = s.shots[figure](draw())
    const began = performance.now()
    const answer = await fetch(s.base + path, {
      method,
      headers: { ...s.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    await answer.text()
    if (i >= 50) times.push(performance.now() - began)
  }
  return times.sort((a, b) => a - b)[times.length >> 1] as number
}

const SYSTEMS = ['limit', 'twin', 'ours'] as const

async function printFigure(
  figure: BenchOperation,
  systems: Readonly<Record<BenchSystem['name'], BenchSystem>>,
): Promise<void> {
  const goal = GOALS[figure]
  const measured = SYSTEMS.filter((name) => name !== 'twin' || goal.of === 'twin')
  const found: Partial<Record<BenchSystem['name'], { readonly ms: number; readonly perSecond: number }>> = {}
  for (const name of measured) {
    const system = systems[name]
    await tidy(system)
    const ms = await median(system, figure)
    const { perSecond, failed } = await throughput(system, figure)
    found[name] = { ms, perSecond }
    if (failed) console.log(`${name} ${figure}: ${failed} requests failed`)
  }
  const ratio = (of: 'limit' | 'twin') => {
    const share = (found.ours?.perSecond ?? 0) / (found[of]?.perSecond ?? Number.NaN)
    if (Number.isNaN(share)) return '–'
    return of === goal.of ? `**${share.toFixed(2)}**${share < goal.share ? ' (short)' : ''}` : share.toFixed(2)
  }
  const figures = [
    ...SYSTEMS.map((name) => found[name]?.ms.toFixed(2) ?? '–'),
    ...SYSTEMS.map((name) => found[name]?.perSecond.toFixed(0) ?? '–'),
    ratio('limit'),
    ratio('twin'),
    AT_FIRST[figure],
    `≥ ${goal.share} × the ${goal.of}`,
  ]
  console.log(`| ${[figure, ...figures].join(' | ')} |`)
}

/** Runs one part. If it fails, prints the error and lets the next part start. */
const part = (what: string, work: () => Promise<void>) =>
  work().catch((e: unknown) => {
    process.exitCode = 1
    console.log(`\n${what}: ${e instanceof Error ? e.message : String(e)}\n`)
  })

const postgres = await startTemporaryPostgres(SETTINGS)
try {
  console.log('Loading 200 000 contacts in 500 tenants, and 1 000 000 notes, into two databases …')
  const at = { ...(await load(postgres.url)), twin: await copyPortalDatabase(postgres.url) }
  const cold: Record<BenchSystem['name'], number[]> = { limit: [], twin: [], ours: [] }
  for (const name of SYSTEMS)
    for (let i = 0; i < 3; i++) {
      const s = await start(name, at[name])
      cold[name].push(s.cold)
      await s.stop()
    }
  const systems = {
    limit: await start('limit', at.limit),
    twin: await start('twin', at.twin),
    ours: await start('ours', at.ours),
  }
  await waitForSchedules(systems.ours)
  const idle = SYSTEMS.map((name) => rss(systems[name]).toFixed(0))
  console.log(
    '\n| | limit, ms | twin, ms | ours, ms | limit, requests/s | twin, requests/s | ours, requests/s | ours ÷ limit | ours ÷ twin | ÷ limit before optimisation | goal |',
  )
  console.log(`|${'---|'.repeat(11)}`)
  for (const figure of Object.keys(GOALS) as BenchOperation[]) await part(figure, () => printFigure(figure, systems))
  const lines = [
    ['cold start, ms', SYSTEMS.map((name) => medianTime(cold[name]).toFixed(0)), START_AT_FIRST.cold, 400],
    ['idle memory, MiB', idle, START_AT_FIRST.idle, 115],
    ['memory after load, MiB', SYSTEMS.map((name) => rss(systems[name]).toFixed(0)), START_AT_FIRST.loaded, 220],
  ] as const
  for (const [what, all, atFirst, goal] of lines)
    console.log(`| ${what} | ${all.join(' | ')} | | | | | | ${atFirst} | ≤ ${goal} |`)
  for (const name of SYSTEMS) await systems[name].stop()
} finally {
  await postgres.stop()
}
