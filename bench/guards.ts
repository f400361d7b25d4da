import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'
import { throwawayPostgres } from '../scripts/postgres.mjs'
import { GUARDS } from './guard-list.ts'
import { draw, type Figure, loadOurs, type System, start } from './systems.ts'

/*
 * What each guard costs: the same server with and without it, on the same PostgreSQL, in short turns one after the other (with,
 * without, without, with), since the machine's own pace changes by more than what is measured. The first comparison leaves nothing out:
 * it tells how far two servers that are the same differ. `--together` and `--each` are a half of it each.
 */
const SECONDS = 2
const WARM_SECONDS = 4
const CONNECTIONS = 8
const PORTS = [4711, 4712] as const
/** Clock ticks of the processor's time in a second, as Linux counts them for `/proc`. */
const TICKS = 100

interface Spent {
  seconds: number
  requests: number
  /** Milliseconds of the server's processor time. */
  processor: number
}

const processorTime = (s: System): number => {
  const stat = readFileSync(`/proc/${s.process.pid}/stat`, 'utf8')
  // Behind the name, which may hold blanks: fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS
}

async function turn(s: System, figure: Figure, duration: number, into?: Spent): Promise<void> {
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
  const before = processorTime(s)
  const result = await autocannon({
    url: s.base,
    connections: CONNECTIONS,
    duration,
    setupClient: (client: { setRequests: (r: typeof requests) => void }) => client.setRequests(requests),
  })
  if (result.non2xx + result.errors) throw new Error(`${figure}: ${result.non2xx + result.errors} failed`)
  if (!into) return
  into.seconds += result.duration
  into.requests += result['2xx']
  into.processor += processorTime(s) - before
}

const percent = (n: number) => `${n >= 0 ? '+' : '−'}${Math.abs(n * 100).toFixed(1)} %`

/** Both servers fresh, so that neither has run for longer. */
async function compare(
  database: string,
  name: string,
  left: readonly number[],
  figures: readonly Figure[],
  rounds: number,
) {
  const open = (port: number, without: string) =>
    start('ours', database, { port, args: ['bench/guarded-server.ts', without] })
  const [guarded, bare] = [await open(PORTS[0], ''), await open(PORTS[1], left.join())]
  try {
    for (const figure of figures) {
      const nothing = (): Spent => ({ seconds: 0, requests: 0, processor: 0 })
      const [a, b] = [nothing(), nothing()]
      for (const s of [guarded, bare]) await turn(s, figure, WARM_SECONDS)
      for (let round = 0; round < rounds; round++) {
        await turn(guarded, figure, SECONDS, a)
        await turn(bare, figure, SECONDS, b)
        await turn(bare, figure, SECONDS, b)
        await turn(guarded, figure, SECONDS, a)
      }
      const rate = (s: Spent) => s.requests / s.seconds
      const each = (s: Spent) => s.processor / s.requests
      console.log(
        `| ${name} | ${figure} | ${rate(a).toFixed(0)} | ${rate(b).toFixed(0)} | ${percent(rate(b) / rate(a) - 1)} | ${each(a).toFixed(3)} | ${each(b).toFixed(3)} | **${percent(each(a) / each(b) - 1)}** |`,
      )
    }
  } finally {
    await Promise.all([guarded.stop(), bare.stop()])
  }
}

const options = process.argv.slice(2)
const together = options.includes('--together') || !options.includes('--each')
const each = options.includes('--each') || !options.includes('--together')
const postgres = await throwawayPostgres(['shared_buffers=1GB', 'max_connections=100', 'max_wal_size=4GB'])
if (!postgres) {
  console.log('No PostgreSQL server programs could be had; the figures need a real server.')
  process.exit(1)
}
try {
  const database = await loadOurs(postgres.url)
  console.log('| left out | figure | requests/s with | without | without it | processor ms with | without | it costs |')
  console.log('|---|---|---|---|---|---|---|---|')
  const all = GUARDS.map((_, n) => n)
  if (together) {
    await compare(database, 'nothing', [], ['get', 'list', 'update'], 3)
    await compare(database, `all ${GUARDS.length}`, all, ['get', 'list', 'update'], 4)
  }
  if (each) for (const n of all) await compare(database, GUARDS[n]?.name ?? '', [n], ['get'], 3)
} finally {
  await postgres.stop()
}
