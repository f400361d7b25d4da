import { join } from 'node:path'
import type { Rolldown } from 'vite'
import { inRoot } from './shared.mjs'

type GroupContext = Parameters<Extract<Rolldown.CodeSplittingGroup['name'], (...args: never[]) => unknown>>[1]

/**
 * Returns a test for the files that the given files of `src` import, directly or indirectly. `follows` selects the
 * imports to follow. Files that are loaded later, by `import()`, are not included.
 */
export function makeImportTest(
  paths: readonly string[],
  follows: (id: string) => boolean,
): (id: string, context: GroupContext) => boolean {
  let found: Set<string> | undefined
  return (id, context) => {
    if (found) return found.has(id)
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
    return found.has(id)
  }
}
