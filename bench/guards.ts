import { once } from 'node:events'
import { throwawayPostgres } from '../scripts/postgres.mjs'
import { GUARDS } from './guard-list.ts'
import { draw, type Figure, loadOurs, type System, start } from './systems.ts'
import { each, nothing, rate, type Spent, turn } from './turns.ts'

/*
 * What each guard costs: one server whose guards are switched off and on, in short turns (with, without, without, with), since the
 * machine's own pace changes by more than what is measured, and so do two processes of the same program. The lines that switch nothing
 * off tell how far turns that are the same differ. `--together` leaves out what each guard costs by itself.
 */
const SECONDS = 1
/** Of four turns each. */
const ROUNDS = process.argv.includes('--quick') ? 3 : 9
const WARM_SECONDS = 5
const PORT = 4711
const together = process.argv.includes('--together')
const ALL = GUARDS.map((_, n) => n)

/** A turn with some guards off. */
async function turnWithout(
  system: System,
  off: readonly number[],
  figure: Figure,
  seconds: number,
  into?: Spent,
): Promise<void> {
  system.process.send?.([...off])
  await once(system.process, 'message')
  await turn({ system, draw }, figure, seconds, into)
}

const percent = (n: number) => `${n >= 0 ? '+' : '−'}${Math.abs(n * 100).toFixed(1)} %`
const quarter = (sorted: readonly number[], n: number) => sorted[Math.round(((sorted.length - 1) * n) / 4)] as number

function add(sum: Spent, spent: Spent): void {
  for (const key of ['seconds', 'requests', 'processor'] as const) sum[key] += spent[key]
}

/** Rounds with, without, without, with: the middle one of their differences, and the middle half of them. */
async function compare(s: System, name: string, off: readonly number[], figure: Figure): Promise<void> {
  const sums = [nothing(), nothing()] as const
  const costs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [guarded, bare] = [nothing(), nothing()]
    await turnWithout(s, [], figure, SECONDS, guarded)
    await turnWithout(s, off, figure, SECONDS, bare)
    await turnWithout(s, off, figure, SECONDS, bare)
    await turnWithout(s, [], figure, SECONDS, guarded)
    costs.push(each(guarded) / each(bare) - 1)
    add(sums[0], guarded)
    add(sums[1], bare)
  }
  const sorted = costs.toSorted((a, b) => a - b)
  const [low, middle, high] = [1, 2, 3].map((n) => percent(quarter(sorted, n)))
  const cells = [name, figure, ...sums.map((s) => rate(s).toFixed(0)), ...sums.map((s) => each(s).toFixed(3))]
  console.log(`| ${cells.join(' | ')} | **${middle}** (${low} to ${high}) |`)
}

const postgres = await throwawayPostgres(['shared_buffers=1GB', 'max_connections=100', 'max_wal_size=4GB'])
if (!postgres) {
  console.log('No PostgreSQL server programs could be had; the figures need a real server.')
  process.exit(1)
}
try {
  const database = await loadOurs(postgres.url)
  const server = await start('ours', database, { port: PORT, args: ['bench/guarded-server.ts'], told: true })
  console.log(
    '| left out | figure | requests/s with | without | processor ms with | without | it costs, of the processor |',
  )
  console.log('|---|---|---|---|---|---|---|')
  for (const figure of ['get', 'list', 'update'] as const) {
    for (const off of [[], ALL]) await turnWithout(server, off, figure, WARM_SECONDS)
    await compare(server, 'nothing', [], figure)
    await compare(server, `all ${ALL.length}`, ALL, figure)
  }
  if (!together)
    for (const [n, { name }] of GUARDS.entries())
      await compare(server, name, [n], name.startsWith('bodies') ? 'update' : 'get')
  await server.stop()
} finally {
  await postgres.stop()
}
