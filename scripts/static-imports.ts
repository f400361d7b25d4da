import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Rolldown } from 'vite'
import { inRoot } from './shared.mjs'

type GroupContext = Parameters<Extract<Rolldown.CodeSplittingGroup['name'], (...args: never[]) => unknown>>[1]

const ICON_FILE = /[/]@tabler[/]icons-react[/].*[/](Icon\w+)[.]mjs$/
export const isIcon = (id: string) => ICON_FILE.test(id)

/**
 * Returns a test for the files that the given files of `src` import, directly or indirectly. `follows` selects the
 * imports to follow. Files that are loaded later, by `import()`, are not included. Icons are found by their names,
 * because files import them through an index of all icons.
 */
export function makeImportTest(
  paths: readonly string[],
  follows: (id: string) => boolean,
): (id: string, context: GroupContext) => boolean {
  let found: Set<string> | undefined
  const icons = new Set<string>()
  const isFound = (id: string) => found?.has(id) || icons.has(ICON_FILE.exec(id)?.[1] ?? '')
  return (id, context) => {
    if (found) return isFound(id)
    found = new Set()
    const files = paths.map((path) => join(inRoot('src'), path))
    for (const file of files)
      if (!context.getModuleInfo(file))
        throw new Error(`A group of chunks names ${file}, which is not part of the build.`)
    for (const file of files)
      for (const to of context.getModuleInfo(file)?.importedIds ?? [])
        if (follows(to) && !found.has(to)) {
          found.add(to)
          files.push(to)
        }
    const sources = files.filter((file) => file.startsWith(inRoot('src')) && /[.]tsx?$/.test(file))
    for (const file of sources)
      for (const [name] of readFileSync(file, 'utf8').matchAll(/\bIcon[A-Z]\w*/g)) icons.add(name)
    return isFound(id)
  }
}
