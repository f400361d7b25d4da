import { text } from '#kernel/fields.ts'
import type { Resource, RowOf } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { listRoute } from '#server/http/list-route.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { type LibrarySnapshot, toLibrarySnapshot } from './method-statement.ts'
import { standardStatement, task, templateLinkTask } from './statement.ts'

interface ShippedText {
  readonly id: number
  readonly title: string
}

/** Returns the template key of a supplied statement or task. Throws if none has the title. */
function shippedKey(list: 'statements' | 'tasks', title: string): string {
  const { [list]: shipped }: Readonly<Record<typeof list, readonly ShippedText[]>> = readReferenceFile(
    'method-statement-library.json',
  )
  const one = shipped.find((text) => text.title === title)
  if (!one) throw new Error(`The library of ${list} has none called "${title}"`)
  return String(one.id)
}

/**
 * Returns a function that finds a library task by the title under which it was supplied. Returns undefined if the
 * provider has retired the task.
 */
export async function loadTaskTitleLookup(c: Context): Promise<(title: string) => LibrarySnapshot[]> {
  const found = new Map((await c.find(task, { retired: false })).map((one) => [one.templateKey, one]))
  return (title) => {
    const one = found.get(shippedKey('tasks', title))
    return one ? [toLibrarySnapshot({ '@id': iriOf(task, one.id), ...one })] : []
  }
}

const toStatementSnapshot = (s: RowOf<typeof standardStatement>): LibrarySnapshot =>
  toLibrarySnapshot({ '@id': iriOf(standardStatement, s.id), ...s })

/**
 * Returns a function that returns the default statements for a template. If `emergency` is the title of a supplied
 * statement, that statement replaces the general emergency arrangements.
 */
export async function loadTemplateStatements(c: Context): Promise<(emergency?: string) => LibrarySnapshot[]> {
  const found = await c.find(standardStatement, { retired: false })
  const general = shippedKey('statements', 'Emergency arrangements')
  return (emergency) => {
    const own = emergency === undefined ? undefined : shippedKey('statements', emergency)
    const special = found.find(({ templateKey }) => own !== undefined && templateKey === own)
    return found
      .filter((s) => s.default)
      .map((s) => toStatementSnapshot(special && s.templateKey === general ? special : s))
  }
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
