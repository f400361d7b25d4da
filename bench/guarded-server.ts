import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { GUARDS } from './guard-list.ts'
import { root } from './systems.ts'

/*
 * The portal's server without the guards whose numbers in the list are given: `node bench/guarded-server.ts 0,3`. Their source is
 * another one while it is loaded; the program itself knows no way to leave one out.
 */
const left = (process.argv[2] ?? '')
  .split(',')
  .filter(Boolean)
  .map((n) => GUARDS[Number(n)])

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const here = left.filter((guard) => guard && url === pathToFileURL(join(root, guard.file)).href)
    if (!here.length) return loaded
    const source = here.reduce(
      (text, guard) => (guard ? text.replace(guard.text, () => guard.without) : text),
      String(loaded.source),
    )
    return { ...loaded, source }
  },
})

process.argv.splice(2, Number.POSITIVE_INFINITY, 'start')
await import('../src/app/cli.ts')
