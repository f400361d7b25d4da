import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BenchGuard } from './guard-list.ts'
import { PROJECT_ROOT } from './systems.ts'

/*
 * `node bench/guarded-server.ts guard-list.ts BENCH_GUARDS` starts the portal's server so that single requests can
 * switch off some of the guards in the given export of the given module. The header `x-guards-off` contains their
 * numbers. The server replies to any process message with the microseconds of this thread's processor time that each
 * such request took, in order. The guards' source is changed while it is loaded; the program itself has no such switch.
 */
const [, , modulePath, exportName = ''] = process.argv
const guards: readonly BenchGuard[] | undefined = (await import(`./${modulePath}`))[exportName]
if (!guards) throw new Error(`bench/${modulePath} has no export ${exportName}.`)
const off = Object.assign(globalThis, { guardsOff: guards.map(() => false) }).guardsOff

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const here = guards.filter((guard) => url === pathToFileURL(join(PROJECT_ROOT, guard.file)).href)
    if (!here.length) return loaded
    const switchedOff = (guard: BenchGuard) => guard.switched(`globalThis.guardsOff[${guards.indexOf(guard)}]`)
    const source = here.reduce(
      (text, guard) => text.replace(guard.text, () => switchedOff(guard)),
      typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source ?? undefined),
    )
    return { ...loaded, source }
  },
})

let took: number[] = []
subscribe('http.server.request.start', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
  const numbers = request.headers['x-guards-off']
  if (typeof numbers !== 'string') return
  const without = numbers.split(' ').filter(Boolean).map(Number)
  for (const n of off.keys()) off[n] = without.includes(n)
  const before = process.threadCpuUsage()
  response.once('close', () => {
    const { user, system } = process.threadCpuUsage(before)
    took.push(user + system)
  })
})

process.on('message', () => {
  process.send?.(took)
  took = []
})
process.argv.splice(2, Number.POSITIVE_INFINITY, 'start')
await import('../src/app/cli.ts')
