import { iriOf } from '#kernel/resource.ts'
import type { Context } from '#server/engine/types.ts'
import { type LibrarySnapshot, toLibrarySnapshot } from './chosen.ts'
import { standardStatement, task } from './statement.ts'

/** Returns a function that finds a library task by title and throws if there is none. */
export async function loadTasksByTitle(c: Context): Promise<(title: string) => LibrarySnapshot> {
  const found = new Map((await c.find(task, { retired: false })).map((one) => [one.title, one]))
  return (title) => {
    const one = found.get(title)
    if (!one) throw new Error(`No library task is called "${title}"`)
    return toLibrarySnapshot({ '@id': iriOf(task, one.id), ...one })
  }
}

export async function loadDefaultStatements(c: Context): Promise<LibrarySnapshot[]> {
  const found = await c.find(standardStatement, { default: true, retired: false })
  return found.map((s) => toLibrarySnapshot({ '@id': iriOf(standardStatement, s.id), ...s }))
}
