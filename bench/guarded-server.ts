import { Server, type ServerResponse } from 'node:http'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { GUARDS } from './guard-list.ts'
import { root } from './systems.ts'

/*
 * The portal's server in which each request says, in the header `x-guards-off`, which guards it does without, by their numbers; one at a
 * time. Any message is answered with the microseconds of this thread's processor time that each such request took, in their order. The guards'
 * source is another one while it is loaded here; the program itself knows no such switch.
 */
const off = Object.assign(globalThis, { guardsOff: GUARDS.map(() => false) }).guardsOff

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const here = GUARDS.filter((guard) => url === pathToFileURL(join(root, guard.file)).href)
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
const passOn = Server.prototype.emit
Server.prototype.emit = function (this: Server, event: string | symbol, ...args: unknown[]): boolean {
  const [request, response] = args as [{ headers?: Record<string, string> }, ServerResponse]
  const numbers = event === 'request' ? request.headers?.['x-guards-off'] : undefined
  if (numbers !== undefined) {
    const without = numbers.split(' ').map(Number)
    for (const n of off.keys()) off[n] = numbers !== '' && without.includes(n)
    const before = process.threadCpuUsage()
    response.once('close', () => {
      const { user, system } = process.threadCpuUsage(before)
      took.push(user + system)
    })
  }
  return passOn.call(this, event, ...args)
}

process.on('message', () => {
  process.send?.(took)
  took = []
})
process.argv.splice(2, Number.POSITIVE_INFINITY, 'start')
await import('../src/app/cli.ts')
