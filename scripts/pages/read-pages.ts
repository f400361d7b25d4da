import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin, type UserConfig } from 'vite'

/** A page of the portal, and the files that it imports when it opens. */
export interface PageImports {
  readonly path: string
  readonly redirect?: string
  /** API URLs that the page requests immediately when it opens. */
  readonly asks: readonly string[]
  readonly imports: readonly string[]
}

interface Module {
  readonly pages: readonly (Omit<PageImports, 'asks' | 'imports'> & {
    readonly asks?: readonly string[]
    readonly load?: (modules: readonly Module[]) => Promise<unknown>
  })[]
}

const IMPORT = '__import__'
const DYNAMIC_IMPORT = /(?<!typeof )\bimport\(\s*'([.#][^']+)'\s*\)/g

/** Replaces each `import()` with a call that gets the path of the file. */
const callForImports: Plugin = {
  name: 'call-for-imports',
  enforce: 'pre',
  transform: {
    filter: { id: /[.]tsx?$/, code: 'import(' },
    async handler(code, id) {
      const paths = new Map<string, string>()
      for (const [, source] of code.matchAll(DYNAMIC_IMPORT)) {
        const resolved = await this.resolve(source as string, id)
        if (resolved) paths.set(source as string, resolved.id)
      }
      return {
        code: code.replaceAll(
          DYNAMIC_IMPORT,
          (_, source) => `globalThis.${IMPORT}(${JSON.stringify(paths.get(source))})`,
        ),
        map: null,
      }
    },
  },
}

/**
 * Lists the pages of all modules with their imports, by opening each page. No screen is built or run: every import is
 * recorded and rejected. A page may retry a rejected import.
 */
export async function readPages(config: UserConfig, entry: string): Promise<readonly PageImports[]> {
  const folder = await mkdtemp(join(import.meta.dirname, '.modules-'))
  const globals = globalThis as Record<string, unknown>
  try {
    await build({
      ...config,
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      plugins: [...(config.plugins ?? []), callForImports],
      // An open broadcast channel would keep this process running.
      define: { ...config.define, BroadcastChannel: 'undefined' },
      build: {
        ssr: entry,
        outDir: folder,
        minify: false,
        rolldownOptions: { output: { entryFileNames: 'modules.mjs' } },
      },
    })
    let imports = new Set<string>()
    globals[IMPORT] = (path: string) => {
      imports.add(path)
      return Promise.reject(new Error(`${path} is not loaded during a build.`))
    }
    const { modules } = (await import(pathToFileURL(join(folder, 'modules.mjs')).href)) as {
      modules: readonly Module[]
    }
    const pages: PageImports[] = []
    for (const { path, redirect, asks = [], load } of modules.flatMap((module) => module.pages)) {
      imports = new Set()
      await load?.(modules).catch(() => undefined)
      if (load && !imports.size) throw new Error(`The page ${path} has a load function that does not call import().`)
      pages.push({ path, ...(redirect ? { redirect } : {}), asks, imports: [...imports] })
    }
    return pages
  } finally {
    delete globals[IMPORT]
    await rm(folder, { recursive: true })
  }
}
