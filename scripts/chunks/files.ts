import type { Rolldown } from 'vite'
import type { PageModules } from './pages.ts'
import type { Part } from './parts.ts'
import { byExactness, patternOf } from './patterns.ts'

/** What the server sends with a page: `pages.json`. */
export interface BuiltPage {
  /** The page's path as it is declared, and the regular expression of its addresses. */
  readonly path: string
  readonly pattern: string
  /** Beside those of every page: `assets/….js` and `assets/….css`. */
  readonly files: readonly string[]
  readonly asks: readonly string[]
}

const isLibrary = (module: string) => module.includes('/node_modules/') || module.startsWith('\0')
const isStyle = (module: string) => /[.]css$/.test(module)
const nameOf = (module: string) => (/([^/]+?)(?:[.]web)?[.]\w+$/.exec(module)?.[1] ?? 'part').replace(/\W/g, '-')

/**
 * The name of the file that each module is sent in. What comes with every page is four files: what asks who is there, libraries, what
 * other files need too, and the portal with its table of pages, which changes whenever any of them does and is needed by none.
 * Styles are small and need nothing: those of the pages that people begin with (`first` names their modules) come in one file.
 */
export function nameModules(
  parts: readonly Part[],
  groups: readonly (readonly number[])[],
  first: readonly string[],
): Map<string, string> {
  const names = new Map<string, string>()
  const neededLater = new Set(parts.filter((part) => !part.isFirst).flatMap((part) => [...closureOf(part, parts)]))
  for (const part of parts)
    for (const module of part.isFirst ? part.modules : [])
      names.set(
        module,
        part.isEarly ? 'early' : isLibrary(module) ? 'libraries' : neededLater.has(part) ? 'shell' : 'portal',
      )
  const taken = new Set(names.values())
  for (const group of groups) {
    const all = group.flatMap((n) => parts[n]?.modules ?? [])
    const begins = group.flatMap((n) => parts[n]?.begins ?? [])
    const own = nameOf(begins.toSorted()[0] ?? all.filter((module) => !isLibrary(module)).toSorted()[0] ?? all[0] ?? '')
    let name = own
    for (let n = 2; taken.has(name); n++) name = `${own}${n}`
    taken.add(name)
    for (const module of all) names.set(module, name)
  }
  const soon = parts.filter((part) => part.isFirst || (part.begins && first.includes(part.begins)))
  for (const part of sentWith(soon, parts, groups))
    for (const module of part.modules) if (isStyle(module)) names.set(module, 'shell')
  return names
}

/** All that is sent with some parts: what they need, and what is in a file with any of that. */
function sentWith(
  some: readonly Part[],
  parts: readonly Part[],
  groups: readonly (readonly number[])[],
): ReadonlySet<Part> {
  const fileOf = new Map(groups.flatMap((group) => group.map((n) => [parts[n], group] as const)))
  const seen = new Set<Part>()
  const send = (part: Part | undefined) => {
    if (!part || seen.has(part)) return
    seen.add(part)
    for (const n of [...part.needs, ...(fileOf.get(part) ?? [])]) send(parts[n])
  }
  for (const part of some) send(part)
  return seen
}

function closureOf(part: Part, parts: readonly Part[], seen = new Set<Part>()): Set<Part> {
  if (seen.has(part)) return seen
  seen.add(part)
  for (const n of part.needs) if (parts[n]) closureOf(parts[n], parts, seen)
  return seen
}

/** What each page needs of what was built, beside what comes with every page. */
export function filesByPage(bundle: Rolldown.OutputBundle, pages: readonly PageModules[]): readonly BuiltPage[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const byModule = new Map(chunks.flatMap((chunk) => chunk.moduleIds.map((module) => [module, chunk] as const)))
  const closure = (all: readonly (Rolldown.OutputChunk | undefined)[], seen = new Set<Rolldown.OutputChunk>()) => {
    for (const chunk of all)
      if (chunk && !seen.has(chunk)) {
        seen.add(chunk)
        closure(
          chunk.imports.map((file) => byFile.get(file)),
          seen,
        )
      }
    return seen
  }
  const page = bundle['index.html']
  const html = page?.type === 'asset' ? String(page.source) : ''
  const first = closure(chunks.filter((chunk) => html.includes(chunk.fileName)))
  const filesOf = (modules: readonly string[]) =>
    [...closure(modules.map((module) => byModule.get(module)))]
      .filter((chunk) => !first.has(chunk))
      .flatMap((chunk) => [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])])
      .filter((file) => !html.includes(file))
  const shownAt = (page: PageModules): PageModules => pages.find(({ path }) => path === page.redirect) ?? page
  return pages
    .toSorted((a, b) => byExactness(a.path, b.path))
    .map((page) => ({
      path: page.path,
      pattern: patternOf(page.path),
      files: [...new Set(filesOf(shownAt(page).modules))],
      asks: shownAt(page).asks,
    }))
}
