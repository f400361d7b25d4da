import type { Resource } from '#kernel/resource.ts'
import { type Route, RouteAnswer } from '#server/behaviour.ts'
import type { Query } from '#server/data/filters.ts'
import { collection, paging } from '#server/http/collection.ts'
import { standardStatement, task } from './statement.ts'

/** The query as it stood in the address, for the links to other pages. */
const written = (query: Query) =>
  new URLSearchParams(
    Object.entries(query).flatMap(([k, v]) => (v === undefined ? [] : [v].flat().map((one) => [k, String(one)]))),
  ).toString()

/** `GET {list}/search?retired=false&page&query`: the list, searched by words. */
function searchRoute(r: Resource): Route {
  const found: Resource = { ...r, url: `${r.url}/search` }
  return {
    method: 'GET',
    path: found.url,
    title: `Search ${r.path.replaceAll('_', ' ')} by words`,
    allow: r.allow.read ?? 'member',
    handle: async (c) => {
      const p = paging(r, c.query)
      const listed = await c.engine.list(r, c.actor, { ...c.query, q: c.query.query ?? c.query.q }, p, {
        count: !p.partial,
      })
      return new RouteAnswer(200, collection(found, written(c.query), p, listed))
    },
  }
}

export const searchRoutes = [searchRoute(standardStatement), searchRoute(task)]
