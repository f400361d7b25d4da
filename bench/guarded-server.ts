import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { GUARDS } from './guard-list.ts'
import { root } from './systems.ts'

/*
 * The portal's server whose guards can be switched off by a message of their numbers, which is answered once they are. Their source
 * is another one while it is loaded here; the program itself knows no such switch.
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

process.on('message', (numbers: readonly number[]) => {
  for (const n of off.keys()) off[n] = numbers.includes(n)
  process.send?.('done')
})
process.argv.splice(2, Number.POSITIVE_INFINITY, 'start')
await import('../src/app/cli.ts')
