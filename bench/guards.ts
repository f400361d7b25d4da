import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { startTemporaryPostgres } from '../scripts/postgres.mjs'
import { BENCH_GUARDS } from './guard-list.ts'
import { comparePairedMeasurements } from './pairs.ts'
import { type BenchOperation, type BenchSystem, draw, loadOurs, type RandomValues, start } from './systems.ts'

/*
 * Cost of each guard, from thousands of pairs of single requests to one server, with and without the guard, on the same
 * record and in random order. Compares the processor time of the server's thread within each pair, so that the load of
 * the machine affects both. Control lines compare identical requests: if their cost is not zero, the other results mean
 * nothing. `--together` measures only all guards together, not each guard.
 */
const quick = process.argv.includes('--quick')
const PAIRS = quick ? 2500 : 6000
const WARM = quick ? 1000 : 3000
/** Single requests need only leads; more notes would only take longer to load. */
const NOTES = quick ? 1000 : undefined
/** Tolerance of the control lines. A larger cost means that the machine was too busy. */
const NOISE = 0.01
const PORT = 4711
const together = process.argv.includes('--together')
const ALL_GUARD_INDEXES = BENCH_GUARDS.map((_, n) => n)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Sends one request with the given guards off, and waits for the end of the response. */
async function ask(
  { base, headers, shots }: BenchSystem,
  figure: BenchOperation,
  drawn: RandomValues,
  off: readonly number[],
): Promise<void> {
  const { method, path, body } = shots[figure](drawn)
  const json = body === undefined ? undefined : JSON.stringify(body)
  const more = json ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) } : {}
  const asked = request(base + path, { method, agent, headers: { ...headers, ...more, 'x-guards-off': off.join(' ') } })
  asked.end(json)
  const [response] = await once(asked, 'response')
  response.resume()
  await once(response, 'end')
  if ((response.statusCode as number) >= 300) throw new Error(`${figure}: ${response.statusCode}`)
}

/** Returns the microseconds of the server thread's processor time for each request since the previous call. */
async function costs({ process: server }: BenchSystem): Promise<readonly number[]> {
  server.send?.('costs')
  const [took] = (await once(server, 'message')) as [number[]]
  return took
}

/**
 * Sends pairs of requests, with and without the given guards. Returns the microseconds of each pair: first with the
 * guards, then without.
 */
async function pairsOf(s: BenchSystem, off: readonly number[], figure: BenchOperation, count: number) {
  const isFirst: boolean[] = []
  await costs(s)
  for (let n = 0; n < count; n++) {
    const drawn = draw()
    const first = Math.random() < 0.5
    isFirst.push(first)
    await ask(s, figure, drawn, first ? [] : off)
    // The second request of a pair concerns the same record, with other values.
    await ask(s, figure, { ...draw(), id: drawn.id, owner: drawn.owner }, first ? off : [])
  }
  const took = await costs(s)
  return isFirst.map((first, n) => {
    const [a, b] = [took[2 * n] as number, took[2 * n + 1] as number]
    return first ? ([a, b] as const) : ([b, a] as const)
  })
}

const percent = (n: number) => `${n >= 0 ? '+' : '−'}${Math.abs(n * 100).toFixed(2)} %`

async function measure(s: BenchSystem, name: string, off: readonly number[], figure: BenchOperation): Promise<number> {
  const found = comparePairedMeasurements(await pairsOf(s, off, figure, PAIRS))
  const cells = [name, figure, found.pairs, found.with, found.without].join(' | ')
  console.log(`| ${cells} | **${percent(found.cost)}** (${percent(found.low)} to ${percent(found.high)}) |`)
  return found.cost
}

const postgres = await startTemporaryPostgres(['shared_buffers=1GB', 'max_connections=100', 'max_wal_size=4GB'])
try {
  const database = await loadOurs(postgres.url, NOTES)
  const server = await start('ours', database, {
    port: PORT,
    args: ['bench/guarded-server.ts', 'guard-list.ts', 'BENCH_GUARDS'],
    told: true,
  })
  console.log('| guard switched off | operation | pairs | µs with | µs without | processor cost (95 % interval) |')
  console.log('|---|---|---|---|---|---|')
  let noise = 0
  for (const figure of ['get', 'list', 'update'] as const) {
    await pairsOf(server, ALL_GUARD_INDEXES, figure, WARM)
    noise = Math.max(noise, Math.abs(await measure(server, 'nothing', [], figure)))
    await measure(server, `all ${ALL_GUARD_INDEXES.length}`, ALL_GUARD_INDEXES, figure)
  }
  if (!together)
    for (const [n, { name }] of BENCH_GUARDS.entries())
      await measure(server, name, [n], name.startsWith('bodies') ? 'update' : 'get')
  if (noise > NOISE)
    console.log(
      `\nIdentical requests differ by ${percent(noise)}, so the results mean nothing. Please try again on an idle machine.`,
    )
  await server.stop()
} finally {
  agent.destroy()
  await postgres.stop()
}
