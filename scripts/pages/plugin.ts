import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin, Rolldown, UserConfig } from 'vite'
import { buildPathPattern, comparePathSpecificity } from './patterns.ts'
import { type PageImports, readPages } from './read-pages.ts'

interface Settings {
  /** Build configuration for reading the modules' pages. */
  readonly config: UserConfig
  /** Path of the list of modules. */
  readonly modules: string
  /** Path of the script that runs before all other scripts. */
  readonly early: string
  /** File names of the HTML documents of pages that have one of their own, by path. */
  readonly documents: Readonly<Record<string, string>>
}

/**
 * Vite plugin that writes `pages.json`, which the server reads (`src/server/page.ts`). It lists the files of each page,
 * which the browser loads in parallel. The plugin also adds the `early` script to the HTML page.
 */
export function pageFilesPlugin({ config, modules, early, documents }: Settings): Plugin {
  let reading: Promise<readonly PageImports[]> | undefined
  return {
    name: 'page-files',
    apply: 'build',
    buildStart() {
      reading = readPages(config, modules)
      // The error is reported by the code that awaits the promise.
      reading.catch(() => undefined)
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const script = Object.values(bundle ?? {}).find(
          (file) => file.type === 'chunk' && file.moduleIds.includes(early),
        )
        const attrs = { type: 'module', async: true, src: `/${script?.fileName}` }
        return script ? [{ tag: 'script', attrs, injectTo: 'head-prepend' }] : []
      },
    },
    async writeBundle({ dir = '' }, bundle) {
      await mkdir(dir, { recursive: true })
      await writeFile(join(dir, 'pages.json'), JSON.stringify(filesByPage(bundle, (await reading) ?? [], documents)))
    },
  }
}

/** Returns the files of each page, without the files that all pages share. */
function filesByPage(bundle: Rolldown.OutputBundle, pages: readonly PageImports[], documents: Settings['documents']) {
  const chunks = new Map(
    Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])),
  )
  const chunkOf = new Map([...chunks.values()].flatMap((chunk) => chunk.moduleIds.map((id) => [id, chunk.fileName])))
  for (const { facadeModuleId, fileName } of chunks.values()) if (facadeModuleId) chunkOf.set(facadeModuleId, fileName)
  const closure = (files: readonly (string | undefined)[], found = new Set<string>()): Set<string> => {
    for (const file of files)
      if (file && !found.has(file)) {
        found.add(file)
        closure(chunks.get(file)?.imports ?? [], found)
      }
    return found
  }
  const index = bundle['index.html']
  const html = index?.type === 'asset' ? String(index.source) : ''
  const first = closure([...chunks.keys()].filter((file) => html.includes(file)))
  const filesOf = (imports: readonly string[]) =>
    [...closure(imports.map((id) => chunkOf.get(id)))]
      .filter((file) => !first.has(file))
      .flatMap((file) => [file, ...(chunks.get(file)?.viteMetadata?.importedCss ?? [])])
      .filter((file) => !html.includes(file))
  return pages
    .toSorted((a, b) => comparePathSpecificity(a.path, b.path))
    .map(({ path, redirect, ...own }) => {
      const { asks, imports } = pages.find((page) => page.path === redirect) ?? own
      const html = documents[path]
      // The document itself names its files.
      if (html) return { path, pattern: buildPathPattern(path), files: [], asks, html }
      return { path, pattern: buildPathPattern(path), files: [...new Set(filesOf(imports))], asks }
    })
}
