import type { Resource } from '#kernel/resource.ts'
import type { Roles } from '#kernel/roles.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/behaviour.ts'
import type { Query } from '#server/data/filters.ts'
import type { Condition } from '#server/data/query-values.ts'
import { collection, paging } from './collection.ts'

/** The query as it stands in an address, for the links to other pages. */
const written = (query: Query) =>
  new URLSearchParams(
    Object.entries(query).flatMap(([k, v]) => (v === undefined ? [] : [v].flat().map((one) => [k, String(one)]))),
  ).toString()

type Narrowed = { readonly query?: Query; readonly extra?: readonly Condition[] }

/** A list of the resource under an address of its own: further filters, and conditions that no query can express. */
export function listRoute(
  r: Resource,
  path: string,
  title: string,
  narrow: (c: RouteContext) => Narrowed | Promise<Narrowed>,
  allow: Roles = r.allow.read ?? 'member',
): Route {
  return {
    method: 'GET',
    path,
    title,
    allow,
    handle: async (c) => {
      const p = paging(r, c.query)
      const { query = c.query, extra = [] } = await narrow(c)
      const listed = await c.engine.list(r, c.actor, query, p, { count: !p.partial && !p.whole, extra })
      const url = path.replace(/\{(\w+)\}/g, (_, k: string) => encodeURIComponent(c.params[k] ?? ''))
      return new RouteAnswer(200, collection({ ...r, url }, written(c.query), p, listed))
    },
  }
}
