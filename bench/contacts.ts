import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'
import { throwawayPostgres } from '../scripts/postgres.mjs'
import { draw, type Figure, load, type System, start, tidy } from './systems.ts'
import { middle } from './times.ts'

/*
 * What the portal costs against the limit: a hand-written server with the same rows, on the same PostgreSQL, in the same run.
 * Prints ratios; asserts nothing. `node bench/contacts.ts --quick` takes three seconds for each figure instead of ten.
 */
const quick = process.argv.includes('--quick')
const SECONDS = quick ? 3 : 10
const CONNECTIONS = 16

/** The least share of the limit that we want. */
const GOALS: Record<Figure, number> = {
  list: 0.6,
  get: 0.5,
  search: 0.7,
  notes: 0.5,
  create: 0.45,
  update: 0.45,
  process: 0.6,
}
/** The ratios before anything was done for them (ADR 69). */
const AT_FIRST: Record<Figure, number> = {
  list: 0.44,
  get: 0.43,
  search: 0.32,
  notes: 0.53,
  create: 0.22,
  update: 0.35,
  process: 0.28,
}
/** Milliseconds of a start, and MiB held by then and under load, before anything was done for them. */
const START_AT_FIRST = { cold: 629, idle: 178, loaded: 228 }

/** A server that somebody might run in production: everything durable. */
const SETTINGS = [
  'shared_buffers=1GB',
  'effective_cache_size=8GB',
  'work_mem=32MB',
  'maintenance_work_mem=512MB',
  'max_connections=100',
  'random_page_cost=1.1',
  'max_wal_size=4GB',
]

const rss = (s: System) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${s.process.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

async function throughput(s: System, figure: Figure): Promise<{ perSecond: number; failed: number }> {
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

/** Milliseconds for one request at a time: the median. */
async function median(s: System, figure: Figure): Promise<number> {
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

async function printFigure(figure: Figure, systems: readonly System[]): Promise<void> {
  const row: string[] = []
  const rate: number[] = []
  for (const s of systems) {
    await tidy(s)
    row.push((await median(s, figure)).toFixed(2))
    const { perSecond, failed } = await throughput(s, figure)
    rate.push(perSecond)
    if (failed) console.log(`${s.name} ${figure}: ${failed} failed`)
  }
  const [a = 0, b = 0] = rate
  const share = b / a
  console.log(
    `| ${figure} | ${row.join(' | ')} | ${a.toFixed(0)} | ${b.toFixed(0)} | **${share.toFixed(2)}**${share < GOALS[figure] ? ' (short)' : ''} | ${AT_FIRST[figure]} | ≥ ${GOALS[figure]} |`,
  )
}

/** One part of the run: what fails is told, and the next begins. */
const part = (what: string, work: () => Promise<void>) =>
  work().catch((e: unknown) => {
    process.exitCode = 1
    console.log(`\n${what}: ${e instanceof Error ? e.message : String(e)}\n`)
  })

const postgres = await throwawayPostgres(SETTINGS)
try {
  console.log('Loading 200 000 contacts in 500 tenants and 1 000 000 notes, twice …')
  const at = await load(postgres.url)
  const cold: Record<'limit' | 'ours', number[]> = { limit: [], ours: [] }
  for (const name of ['limit', 'ours'] as const)
    for (let i = 0; i < 3; i++) {
      const s = await start(name, at[name])
      cold[name].push(s.cold)
      await s.stop()
    }
  const systems = [await start('limit', at.limit), await start('ours', at.ours)]
  const [limit, ours] = systems as [System, System]
  await new Promise((r) => setTimeout(r, 3000))
  const idle = { limit: rss(limit), ours: rss(ours) }
  console.log('\n| | limit, ms | ours, ms | limit, requests/s | ours, requests/s | ours ÷ limit | at first | goal |')
  console.log('|---|---|---|---|---|---|---|---|')
  for (const figure of Object.keys(GOALS) as Figure[]) await part(figure, () => printFigure(figure, systems))
  console.log(
    `| cold start, ms | ${middle(cold.limit).toFixed(0)} | ${middle(cold.ours).toFixed(0)} | | | | ${START_AT_FIRST.cold} | ≤ 400 |`,
  )
  console.log(
    `| memory idle, MiB | ${idle.limit.toFixed(0)} | ${idle.ours.toFixed(0)} | | | | ${START_AT_FIRST.idle} | ≤ 115 |`,
  )
  console.log(
    `| memory after load, MiB | ${rss(limit).toFixed(0)} | ${rss(ours).toFixed(0)} | | | | ${START_AT_FIRST.loaded} | ≤ 220 |`,
  )
  for (const s of systems) await s.stop()
} finally {
  await postgres.stop()
}
