import { text } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { feature } from '#server/engine/module.ts'
import { listRoute } from '#server/http/list-route.ts'
import { standardStatement, task, templateLinkTask } from './statement.ts'

/** Route `GET {list}/search?retired=false&page&query`: full-text search of the list. */
const searchRoute = (r: Resource) =>
  listRoute(
    r,
    `${r.url}/search`,
    `Search ${r.path.replaceAll('_', ' ')} by text`,
    (c) => ({ query: { ...c.query, q: c.query.query ?? c.query.q } }),
    { query: { query: text({ help: 'Same as `q`.' }) } },
  )

const librarySearchRoutes = [searchRoute(standardStatement), searchRoute(task)]

export const statements = feature({
  pack: 'safety',
  resources: [standardStatement, task, templateLinkTask],
  routes: librarySearchRoutes,
})
