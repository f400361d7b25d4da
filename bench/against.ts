import { join, resolve } from 'node:path'
import { prepareServerProgram } from '../scripts/server.mjs'
import { compareServers, readTreeOption } from './beside.ts'
import * as here from './systems.ts'

/*
 * Compares this source tree's server with that of another source tree (an earlier commit with its own `node_modules`):
 * `npm run bench -- against --tree=../earlier`. Each server has a database on a separate PostgreSQL server. Both run at
 * the same time, and the benchmark measures them alternately.
 */
const FIGURES = [
  'list',
  'get',
  'search',
  'notes',
  'create',
  'update',
  'process',
] as const satisfies here.BenchOperation[]
const OURS = { port: 4712, args: [...(await prepareServerProgram()), 'start'] }

const there: typeof here = await import(join(resolve(readTreeOption()), 'bench/systems.ts'))

await compareServers({
  settings: ['shared_buffers=1GB', 'work_mem=32MB', 'max_connections=100', 'max_wal_size=4GB', 'random_page_cost=1.1'],
  heading: 'figure',
  figures: FIGURES,
  start: async (urlThere, urlHere) => {
    const then = await there.start('ours', (await there.load(urlThere)).ours)
    const now = await here.start('ours', await here.loadOurs(urlHere), OURS)
    return { there: then, here: now, stop: () => Promise.all([then.stop(), now.stop()]) }
  },
  runners: async (name, { there: then, here: now }) => {
    const figure = name as here.BenchOperation
    await Promise.all([there.tidy(then), here.tidy(now)])
    return [
      { system: then, shot: () => then.shots[figure](there.draw()) },
      { system: now, shot: () => now.shots[figure](here.draw()) },
    ]
  },
})
