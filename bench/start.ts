import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTemporaryPostgres } from '../scripts/postgres.mjs'
import { prepareServerProgram } from '../scripts/server.mjs'
import { programArguments } from '../scripts/shared.mjs'
import { type BenchSystem, load, start } from './systems.ts'
import { medianTime } from './times.ts'

/*
 * Cost of a start: the time from the start of the process to the first list of a signed-in user, the processor time,
 * and the memory five seconds later. Measures the limit, the portal's server run from its sources, and the built
 * server.
 */
const ROUNDS = process.argv.includes('--quick') ? 3 : 7
const IDLE_MS = 5000

const status = ({ process: { pid } }: BenchSystem, name: string) =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

function processorMs({ process: { pid } }: BenchSystem): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

const postgres = await startTemporaryPostgres(['shared_buffers=256MB', 'max_connections=100'])
try {
  const at = await load(postgres.url, 10_000)
  const ways = [
    { name: 'the limit', begin: () => start('limit', at.limit) },
    {
      name: 'ours, from source',
      begin: () => start('ours', at.ours, { port: 4705, args: [...programArguments, 'start'] }),
    },
    {
      name: 'as built',
      begin: async () => start('ours', at.ours, { port: 4706, args: [...(await prepareServerProgram()), 'start'] }),
    },
  ]
  const found = ways.map(() => ({ first: [] as number[], processor: [] as number[], memory: [] as number[] }))
  // Measures alternately, so that the load of the machine affects all of them.
  for (let round = 0; round <= ROUNDS; round++)
    for (const [n, way] of ways.entries()) {
      const system = await way.begin()
      const processor = processorMs(system)
      await sleep(IDLE_MS)
      // The first round fills Node's cache of compiled code.
      if (round > 0) {
        found[n]?.first.push(system.cold)
        found[n]?.processor.push(processor)
        found[n]?.memory.push(status(system, 'VmRSS'))
      }
      await system.stop()
    }
  console.log('| start | first list, ms | CPU, ms | idle memory, MiB |')
  console.log('|---|---|---|---|')
  for (const [n, { name }] of ways.entries())
    console.log(
      `| ${name} | ${[found[n]?.first, found[n]?.processor, found[n]?.memory].map((values) => medianTime(values ?? []).toFixed(0)).join(' | ')} |`,
    )
  console.log('| goal | 400 | | 115 |')
} finally {
  await postgres.stop()
}
