import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin, type UserConfig } from 'vite'

/** A page of the portal, and the modules that it loads when it is opened. */
export interface PageModules {
  readonly path: string
  readonly redirect?: string
  /** What it is known to ask the API. */
  readonly asks: readonly string[]
  readonly modules: readonly string[]
}

type Load = (modules: readonly Module[]) => Promise<unknown>
interface Module {
  readonly pages: readonly {
    readonly path: string
    readonly redirect?: string
    readonly asks?: readonly string[]
    readonly load?: Load
  }[]
}

const LOADED = '__loaded__'
const imported = /(?<!typeof )\bimport\(\s*'([.#][^']+)'\s*\)/g

/** Takes the place of each `import()`: what would have been loaded is written down. */
const writesDown: Plugin = {
  name: 'writes-down-what-is-loaded',
  enforce: 'pre',
  transform: {
    filter: { id: /[.]tsx?$/ },
    async handler(code, id) {
      const found = [...code.matchAll(imported)]
      if (!found.length) return null
      const targets = new Map<string, string>()
      for (const [, named] of found) {
        const target = await this.resolve(named as string, id)
        if (target) targets.set(named as string, target.id)
      }
      return {
        code: code.replaceAll(imported, (_, named) => `globalThis.${LOADED}(${JSON.stringify(targets.get(named))})`),
        map: null,
      }
    },
  },
}

/** Stands for a module and all that is in it: whatever is done with it leads to itself, and it holds nothing. */
const anything: unknown = new Proxy(() => undefined, {
  get: (_, name) => (name === 'then' ? undefined : name === Symbol.iterator ? () => [].values() : anything),
  apply: () => anything,
})

/**
 * The pages of all modules with what each loads, found out by opening them: every page in a copy of the modules of its own, since some
 * keep what they have loaded. Nothing of a screen is run.
 */
export async function readPages(shared: UserConfig, entry: string): Promise<readonly PageModules[]> {
  const folder = await mkdtemp(join(import.meta.dirname, '.pages-'))
  const seen = globalThis as Record<string, unknown>
  try {
    await build({
      ...shared,
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      plugins: [...(shared.plugins ?? []), writesDown],
      // An open channel would keep this process from ending.
      define: { ...shared.define, BroadcastChannel: 'undefined' },
      build: {
        ssr: entry,
        outDir: folder,
        minify: false,
        rolldownOptions: { output: { entryFileNames: 'modules.mjs' } },
      },
    })
    let loaded: string[] = []
    seen[LOADED] = async (module: string) => {
      loaded.push(module)
      return anything
    }
    const file = pathToFileURL(join(folder, 'modules.mjs')).href
    const roomsOf = async (copy: number) =>
      ((await import(`${file}?${copy}`)) as { modules: readonly Module[] }).modules
    const found: PageModules[] = []
    const count = (await roomsOf(0)).flatMap((module) => module.pages).length
    for (let n = 0; n < count; n++) {
      const modules = await roomsOf(n)
      const page = modules.flatMap((module) => module.pages)[n] as Module['pages'][number]
      loaded = []
      await page.load?.(modules)
      found.push({
        path: page.path,
        ...(page.redirect ? { redirect: page.redirect } : {}),
        asks: page.asks ?? [],
        modules: [...new Set(loaded)],
      })
    }
    return found
  } finally {
    delete seen[LOADED]
    await rm(folder, { recursive: true })
  }
}
