import type { Fields } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Roles } from '#kernel/roles.ts'
import type { Query } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { ListPage } from '#server/data/list-page.ts'
import type { Condition } from '#server/data/query-values.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import { listText, type Paging, paging, viewOf } from './collection.ts'
import { MINIMAL, prefersMinimal } from './prefer.ts'

/** The query as in an address, for the links to other pages. */
const queryText = (query: Query) =>
  new URLSearchParams(
    Object.entries(query).flatMap(([k, v]) => (v === undefined ? [] : [v].flat().map((one) => [k, String(one)]))),
  ).toString()

type ListNarrowing = { readonly query?: Query; readonly extra?: readonly Condition[] }

/** A list of the resource under an address of its own: further filters, and conditions that no query can express. */
export function listRoute(
  r: Resource,
  path: string,
  title: string,
  narrow: (c: RouteContext) => ListNarrowing | Promise<ListNarrowing>,
  { allow = r.allow.read ?? 'member', query = {} }: { readonly allow?: Roles; readonly query?: Fields } = {},
): Route {
  return {
    method: 'GET',
    path,
    title,
    allow,
    query,
    filters: r,
    listOf: r,
    handle: async (c) => {
      const p = paging(r, c.query)
      const { query = c.query, extra = [] } = await narrow(c)
      const listed = await c.engine.list(r, c.actor, query, p, { count: !p.partial && !p.whole, extra })
      return listAnswer(c, r, path, p, listed)
    },
  }
}

interface SubList {
  readonly path: string
  readonly title: string
  /** The owner, whose id is in the address. */
  readonly of: Resource
  readonly r: Resource
  /** The condition for the owner's rows, with its id as a parameter. */
  readonly where: (id: string) => string
  /** Filters unless the query has others, and the order unless it names one. */
  readonly defaults?: Query
  readonly allow: Roles
}

/** The records that belong to another one, under its address; 404 for an inaccessible owner. */
export const subListRoute = ({ path, title, of, r, where, defaults = {}, allow }: SubList): Route => ({
  method: 'GET',
  path,
  title,
  allow,
  filters: r,
  listOf: r,
  handle: async (c) => {
    const id = await c.engine.idOf(of, c.actor, c.params.id as string)
    const p = paging(r, c.query)
    const sorted = Object.keys(c.query).some((k) => k.startsWith('order['))
    const applied = Object.entries(defaults).filter(([k]) => !(sorted && k.startsWith('order[')))
    const extra = [{ sql: (next: (v: unknown) => string) => where(`${next(id)}::bigint`) }]
    const count = !p.partial && !p.whole
    const listed = await c.engine.list(r, c.actor, { ...Object.fromEntries(applied), ...c.query }, p, { count, extra })
    // It may be empty because there is no such owner.
    if (!listed.size) await c.engine.one(of, c.actor, id)
    return listAnswer(c, r, path, p, listed)
  },
})

function listAnswer(c: RouteContext, r: Resource, path: string, p: Paging, listed: ListPage): RouteAnswer {
  const url = path.replace(/\{(\w+)\}/g, (_, k: string) => encodeURIComponent(c.params[k] ?? ''))
  const minimal = prefersMinimal(c.request.headers.prefer)
  return new RouteAnswer(200, listText({ ...r, url }, queryText(c.query), p, listed, minimal), minimal ? MINIMAL : {})
}

/** A page of a list without a declaration. */
export const pageOf = (
  c: Pick<RouteContext, 'query'>,
  url: string,
  p: Paging,
  { members, total }: { readonly members: readonly unknown[]; readonly total: number },
): ApiRecord => {
  const view = viewOf({ url }, queryText(c.query), p, { total, size: members.length })
  return {
    '@id': url,
    '@type': 'hydra:Collection',
    'hydra:totalItems': total,
    'hydra:member': members,
    ...(view ? { 'hydra:view': view } : {}),
  }
}

/** A whole list without a declaration. */
export const wholeList = (members: readonly unknown[]): ApiRecord => ({
  '@type': 'hydra:Collection',
  'hydra:totalItems': members.length,
  'hydra:member': members,
})
