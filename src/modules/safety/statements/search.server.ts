import { text } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { listRoute } from '#server/http/list-route.ts'
import { type LibrarySnapshot, toLibrarySnapshot } from './method-statement.ts'
import { standardStatement, task, templateLinkTask } from './statement.ts'

/** Returns a function that finds a library task by title, and throws if there is no such task. */
export async function loadTaskTitleLookup(c: Context): Promise<(title: string) => LibrarySnapshot> {
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

/** Returns the route `GET {list}/search?retired=false&page&query`, which searches the full text of the list. */
const searchRoute = (r: Resource) =>
  listRoute(
    r,
    `${r.url}/search`,
    `Search ${r.path.replaceAll('_', ' ')} by text`,
    (c) => ({ query: { ...c.query, q: c.query.query ?? c.query.q } }),
    { query: { query: text({ help: 'Same as `q`.' }) } },
  )

const librarySearchRoutes = [searchRoute(standardStatement), searchRoute(task)]

export const statementLibraryFeature = feature({
  pack: 'safety',
  resources: [standardStatement, task, templateLinkTask],
  routes: librarySearchRoutes,
})
