import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin, UserConfig } from 'vite'
import { seeThroughFacades } from './facades.ts'
import { filesByPage, nameModules } from './files.ts'
import { groupParts, type Opening } from './groups.ts'
import { type PageModules, readPages } from './pages.ts'
import { type Part, readParts } from './parts.ts'

interface Settings {
  /** What the web and its rehearsals are built with alike. */
  readonly shared: UserConfig
  /** The page, and the script that it begins with. */
  readonly input: { readonly page: string; readonly early: string }
  /** The list of modules. */
  readonly modules: string
  /** Paths of pages that people begin with: their styles come with every page. */
  readonly first: readonly string[]
  /** Those that they spend their day on: of these and the first, the files are put together with more care. */
  readonly often: readonly string[]
}

/** How much more a page that is opened often counts than any other, and than a dialog. */
const WEIGHTS = { often: 70, page: 1, part: 0.2 }

/** Sends each page in few files, and writes down which: `pages.json`, which the server reads. */
export function chunksByPage({ shared, input, modules, first, often }: Settings): Plugin {
  let names = new Map<string, string>()
  let pages: readonly PageModules[] = []
  return {
    name: 'chunks-by-page',
    apply: 'build',
    enforce: 'pre',
    async buildStart() {
      pages = await readPages(shared, modules)
      const parts = await readParts(shared, input)
      const begun = pages.filter(({ path }) => first.includes(path)).flatMap(({ modules }) => modules)
      names = nameModules(parts, groupParts(parts, openingsOf(parts, pages, [...first, ...often])), begun)
    },
    outputOptions: (options) => ({
      ...options,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: (module: string) => names.get(module) ?? null, debugName: 'by page' }],
      },
    }),
    generateBundle: { order: 'pre', handler: (_options, bundle) => seeThroughFacades(bundle) },
    transformIndexHtml: {
      order: 'post',
      // Before all others, and as soon as it is there: it asks who is signed in.
      handler: (_html, { bundle }) => {
        const script = Object.values(bundle ?? {}).find(
          (file) => file.type === 'chunk' && file.moduleIds.includes(input.early),
        )
        return script
          ? [
              {
                tag: 'script',
                attrs: { type: 'module', async: true, src: `/${script.fileName}` },
                injectTo: 'head-prepend',
              },
            ]
          : []
      },
    },
    async writeBundle({ dir = '' }, bundle) {
      await mkdir(dir, { recursive: true })
      await writeFile(join(dir, 'pages.json'), JSON.stringify(filesByPage(bundle, pages)))
    },
  }
}

/** Every page with what it loads, and everything that is loaded by itself. */
function openingsOf(parts: readonly Part[], pages: readonly PageModules[], often: readonly string[]): Opening[] {
  const byPages = new Set(pages.flatMap((page) => page.modules))
  const others = parts.flatMap(({ begins }) => (begins && !byPages.has(begins) ? [begins] : []))
  return [
    ...pages.map(({ path, modules }) => ({ modules, weight: often.includes(path) ? WEIGHTS.often : WEIGHTS.page })),
    ...others.map((module) => ({ modules: [module], weight: WEIGHTS.part })),
  ]
}
