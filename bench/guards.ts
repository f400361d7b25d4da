import { once } from 'node:events'
import { throwawayPostgres } from '../scripts/postgres.mjs'
import { GUARDS } from './guard-list.ts'
import { draw, type Figure, loadOurs, type System, start } from './systems.ts'
import { each, nothing, rate, type Spent, turn } from './turns.ts'

/*
 * What each guard costs: one server whose guards are switched off and on, in short turns (with, without, without, with), since the
 * machine's own pace changes by more than what is measured, and so do two processes of the same program. The first lines switch nothing
 * off: they tell how far turns that are the same differ. `--quick` takes a second for a turn instead of two.
 */
const SECONDS = process.argv.includes('--quick') ? 1 : 2
const WARM_SECONDS = 5
const PORT = 4711
const ALL = GUARDS.map((_, n) => n)

/** A turn with some guards off. */
async function turnWithout(system: System, off: readonly number[], figure: Figure, seconds: number, into?: Spent): Promise<void> {
  system.process.send?.([...off])
  await once(system.process, 'message')
  await turn({ system, draw }, figure, seconds, into)
}

const percent = (n: number) => `${n >= 0 ? '+' : '−'}${Math.abs(n * 100).toFixed(1)} %`

async function compare(s: System, name: string, off: readonly number[], figure: Figure, rounds: number): Promise<void> {
  const guarded: Spent = { seconds: 0, requests: 0, processor: 0 }
  const bare: Spent = { seconds: 0, requests: 0, processor: 0 }
  for (let round = 0; round < rounds; round++) {
    await turnWithout(s, [], figure, SECONDS, guarded)
    await turnWithout(s, off, figure, SECONDS, bare)
    await turnWithout(s, off, figure, SECONDS, bare)
    await turnWithout(s, [], figure, SECONDS, guarded)
  }
  const rate = ({ requests, seconds }: Spent) => requests / seconds
  const each = ({ requests, processor }: Spent) => processor / requests
  const cells = [
    name,
    figure,
    rate(guarded).toFixed(0),
    rate(bare).toFixed(0),
    each(guarded).toFixed(4),
    each(bare).toFixed(4),
    `**${percent(each(guarded) / each(bare) - 1)}**`,
  ]
  console.log(`| ${cells.join(' | ')} |`)
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
    await compare(server, 'nothing', [], figure, 2)
    await compare(server, `all ${ALL.length}`, ALL, figure, 4)
  }
  for (const [n, { name }] of GUARDS.entries())
    await compare(server, name, [n], name.startsWith('bodies') ? 'update' : 'get', 2)
  await server.stop()
} finally {
  await postgres.stop()
}
