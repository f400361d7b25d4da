import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BenchGuard } from './guard-list.ts'
import { PROJECT_ROOT } from './systems.ts'

/*
 * `node bench/guarded-server.ts guard-list.ts` starts the portal's server so that single requests can switch off some
 * of that module's `GUARDS`. The header `x-guards-off` contains their numbers. The server replies to any process
 * message with the microseconds of this thread's processor time that each such request took, in order. The guards'
 * source is changed while it is loaded; the program itself has no such switch.
 */
const { GUARDS }: { readonly GUARDS: readonly BenchGuard[] } = await import(`./${process.argv[2]}`)
const off = Object.assign(globalThis, { guardsOff: GUARDS.map(() => false) }).guardsOff

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const here = GUARDS.filter((guard) => url === pathToFileURL(join(PROJECT_ROOT, guard.file)).href)
    if (!here.length) return loaded
    const switchedOff = (guard: (typeof GUARDS)[number]) =>
      guard.switched(`globalThis.guardsOff[${GUARDS.indexOf(guard)}]`)
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
