import { throwawayPostgres } from '../scripts/postgres.mjs'
import { GUARDS } from './guard-list.ts'
import { draw, type Figure, loadOurs, start } from './systems.ts'
import { takeTurns } from './turns.ts'

/*
 * What each guard costs: the same server with and without it, on the same PostgreSQL, by
 * turns. The first comparison leaves nothing out:
 * it tells how far two servers that are the same differ. `--together` and `--each` are a half of it each.
 */
const PORTS = [4711, 4712] as const

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
      const { rates, processor } = await takeTurns({ system: guarded, draw }, { system: bare, draw }, figure, rounds)
      console.log(
        `| ${name} | ${figure} | ${rates[0].toFixed(0)} | ${rates[1].toFixed(0)} | ${percent(rates[1] / rates[0] - 1)} | ${processor[0].toFixed(3)} | ${processor[1].toFixed(3)} | **${percent(processor[0] / processor[1] - 1)}** |`,
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
