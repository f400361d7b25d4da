import { join, resolve } from 'node:path'
import { throwawayPostgres } from '../scripts/postgres.mjs'
import { servedProgram } from '../scripts/server.mjs'
import * as here from './systems.ts'
import { pairText, takeTurns } from './turns.ts'

/*
 * This tree's server beside another's, an earlier commit with its own installation: `npm run bench -- against --tree=../earlier`. Each has
 * its own database on the same PostgreSQL; both are up at once and work by turns.
 */
const FIGURES = ['list', 'get', 'search', 'notes', 'create', 'update', 'process'] as const satisfies here.Figure[]
const OURS = { port: 4712, args: [...(await servedProgram()), 'start'] }

const given = (name: string) => process.argv.find((o) => o.startsWith(`--${name}=`))?.slice(name.length + 3)
const tree = given('tree')
if (!tree) {
  console.log('Say which tree to measure against: --tree=FOLDER.')
  process.exit(1)
}
const figures = given('figures')?.split(',') ?? FIGURES
const rounds = Number(given('rounds') ?? 4)
const there: typeof here = await import(join(resolve(tree), 'bench/systems.ts'))
const settings = [
  'shared_buffers=1GB',
  'work_mem=32MB',
  'max_connections=100',
  'max_wal_size=4GB',
  'random_page_cost=1.1',
]
const servers = [await throwawayPostgres(settings), await throwawayPostgres(settings)] as const
if (!servers[0] || !servers[1]) {
  console.log('No PostgreSQL server programs could be had; the figures need a real server.')
  process.exit(1)
}
try {
  const then = await there.start('ours', (await there.load(servers[0].url)).ours)
  const now = await here.start('ours', await here.loadOurs(servers[1].url), OURS)
  try {
    console.log('| figure | requests/s there | here | here ÷ there | processor ms there | here | here ÷ there |')
    console.log('|---|---|---|---|---|---|---|')
    for (const figure of FIGURES.filter((f) => figures.includes(f))) {
      await Promise.all([there.tidy(then), here.tidy(now)])
      const runners = [
        { system: then, shot: () => then.shots[figure](there.draw()) },
        { system: now, shot: () => now.shots[figure](here.draw()) },
      ] as const
      const { rates, processor } = await takeTurns(...runners, rounds)
      console.log(`| ${figure} | ${pairText(rates, 0)} | ${pairText(processor, 3)} |`)
    }
  } finally {
    await Promise.all([then.stop(), now.stop()])
  }
} finally {
  for (const server of servers) await server?.stop()
}
