import { problem } from '#kernel/errors.ts'
import type { Fields } from '#kernel/fields.ts'
import { cachePerResource } from '#kernel/per-declaration.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Roles } from '#kernel/roles.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { listQueryParameters } from '#server/data/parameters.ts'
import type { PageRange } from '#server/data/queries.ts'
import type { ListPage } from '#server/data/totals.ts'
import type { QueryCondition } from '#server/data/values.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { VARY_HEADER } from './headers.ts'

const DEFAULT_PAGE_SIZE = 30
const MAX_PAGE_SIZE = 100
/** Maximum number of records in a complete list with `pagination=false`, if the list allows it. */
const MAX_UNPAGINATED = 5000
/** Maximum offset: higher than any list needs, and within the database's range of numbers. */
const MAX_OFFSET = 2_000_000_000

export interface ListPaging extends PageRange {
  readonly page: number
  readonly size: number
  readonly whole: boolean
  readonly partial: boolean
}

const number = (v: RequestQuery[string]) => (typeof v === 'string' && /^-?\d+$/.test(v) ? Number(v) : undefined)

/**
 * Parses page, itemsPerPage, pagination and partial (API convention, section 3). Throws 400 for a page below 1 or a
 * negative page size.
 */
export function parsePaging(r: Resource, query: RequestQuery): ListPaging {
  const page = Math.min(number(query.page) ?? 1, MAX_OFFSET)
  const requested = number(query.itemsPerPage) ?? DEFAULT_PAGE_SIZE
  if (page < 1) throw problem.badRequest('"page" starts at 1.')
  if (requested < 0) throw problem.badRequest('"itemsPerPage" can\'t be negative.')
  const whole = r.unpaginated === true && (query.pagination === 'false' || query.pagination === '0')
  const size = whole ? MAX_UNPAGINATED : Math.min(requested, MAX_PAGE_SIZE)
  return {
    page: whole ? 1 : page,
    size,
    whole,
    partial: query.partial === 'true' || query.partial === '1',
    limit: size,
    offset: whole ? 0 : Math.min((page - 1) * size, MAX_OFFSET),
  }
}

const PAGING_KEYS = new Set(['page', 'pagination'])

/** Returns the `hydra:view` for a page; `undefined` if the page needs none. */
function viewOf(
  r: Pick<Resource, 'url'>,
  rawQuery: string,
  p: ListPaging,
  listed: Pick<ListPage, 'total' | 'size'>,
): Readonly<Record<string, string>> | undefined {
  const pairs = rawQuery.split('&').filter((s) => s && !s.startsWith('page='))
  const others = pairs.filter((s) => !PAGING_KEYS.has(s.split('=')[0] ?? ''))
  const pages =
    listed.total === undefined ? undefined : p.size === 0 ? 1 : Math.max(1, Math.ceil(listed.total / p.size))
  const full = p.size > 0 && listed.size === p.size
  const many = pages === undefined ? p.page > 1 || full : pages > 1
  if (p.whole || (!many && !others.length)) return undefined
  const encoded = pairs.map((s) => s.replace(/[[\]<>"{}|\\^` ]/g, encodeURIComponent))
  const at = (page: number) => `${r.url}?${[...encoded, `page=${page}`].join('&')}`
  const self = many ? at(p.page) : `${r.url}?${encoded.join('&')}`
  const links: Record<string, string> = { '@id': self, '@type': 'hydra:PartialCollectionView' }
  if (many && pages !== undefined) {
    links['hydra:first'] = at(1)
    links['hydra:last'] = at(pages)
  }
  if (many && p.page > 1) links['hydra:previous'] = at(Math.min(p.page - 1, pages ?? p.page))
  if (many && (pages === undefined ? full : p.page < pages)) links['hydra:next'] = at(p.page + 1)
  return links
}

/** Returns the `hydra:search` for a list, with all its parameters. */
const searchOf = cachePerResource((r) => JSON.stringify(buildHydraSearch(r.url, listQueryParameters(r))))

/** Builds a `hydra:search` from the query parameters of a URL, each with the property that it concerns. */
export const buildHydraSearch = (
  url: string,
  accepted: readonly { variable: string; property: string; required?: boolean }[],
) => ({
  '@type': 'hydra:IriTemplate',
  'hydra:template': `${url}{?${accepted.map((a) => a.variable).join(',')}}`,
  'hydra:variableRepresentation': 'BasicRepresentation',
  'hydra:mapping': accepted.map(({ variable, property, required = false }) => ({
    '@type': 'IriTemplateMapping',
    variable,
    property,
    required,
  })),
})

/**
 * Formats a page of a list as JSON-LD. Includes `hydra:search`, unless the caller prefers a minimal response. The total
 * for an unpaginated list is its length.
 */
export function formatListPage(
  r: Resource,
  rawQuery: string,
  p: ListPaging,
  listed: ListPage,
  minimal: boolean,
): string {
  const total = listed.total ?? (p.whole && !p.partial ? listed.size : undefined)
  const view = viewOf(r, rawQuery, p, listed)
  return `{"@context":"/api/contexts/${r.type}","@id":"${r.url}","@type":"hydra:Collection"${total === undefined ? '' : `,"hydra:totalItems":${total}`},"hydra:member":${listed.text('linked')}${view ? `,"hydra:view":${JSON.stringify(view)}` : ''}${minimal ? '' : `,"hydra:search":${searchOf(r)}`}}`
}

/**
 * True if the caller prefers a minimal response through `Prefer: return=minimal` (RFC 7240). Lists then omit
 * `hydra:search`, which never changes.
 */
export const prefersMinimal = (prefer: string | readonly string[] | undefined): boolean =>
  [prefer ?? []].flat().some((header) => /(?:^|,)\s*return\s*=\s*"?minimal"?\s*(?:[,;]|$)/i.test(header))

export const MINIMAL_RESPONSE_HEADERS = { 'preference-applied': 'return=minimal', vary: `${VARY_HEADER}, Prefer` }

/** Formats the query string for the links to other pages. */
const queryText = (query: RequestQuery) =>
  new URLSearchParams(
    Object.entries(query).flatMap(([k, v]) => (v === undefined ? [] : [v].flat().map((one) => [k, String(one)]))),
  ).toString()

type ListNarrowing = { readonly query?: RequestQuery; readonly extra?: readonly QueryCondition[] }

interface ListRouteOptions {
  readonly allow?: Roles
  readonly query?: Fields
  /** Runs before a page is sent, for example to log which records were listed. */
  readonly onListed?: (c: RouteContext, listed: ListPage) => Promise<void>
}

/**
 * Declares a list of a resource's records under a separate path, with additional filters and with conditions that no
 * query can express.
 */
export function listRoute(
  r: Resource,
  path: string,
  title: string,
  narrow: (c: RouteContext) => ListNarrowing | Promise<ListNarrowing>,
  { allow = r.allow.read ?? 'member', query = {}, onListed }: ListRouteOptions = {},
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
      const p = parsePaging(r, c.query)
      const { query = c.query, extra = [] } = await narrow(c)
      const listed = await c.engine.list(r, c.actor, query, p, { count: !p.partial && !p.whole, extra })
      await onListed?.(c, listed)
      return listAnswer(c, r, path, p, listed)
    },
  }
}

interface SubList {
  readonly path: string
  readonly title: string
  /** Resource of the owner, whose ID is in the path. */
  readonly of: Resource
  readonly r: Resource
  /** SQL condition that selects the owner's rows, with the owner's ID as a parameter. */
  readonly where: (id: string) => string
  /** Filters and order that apply if the query does not have its own. */
  readonly defaults?: RequestQuery
  readonly allow: Roles
}

/**
 * Declares a list of the records that belong to an owner record, under the owner's path. Responds with 404 if the owner
 * is not accessible.
 */
export const subListRoute = ({ path, title, of, r, where, defaults = {}, allow }: SubList): Route => ({
  method: 'GET',
  path,
  title,
  allow,
  filters: r,
  listOf: r,
  handle: async (c) => {
    const id = await c.engine.idOf(of, c.actor, c.params.id as string)
    const p = parsePaging(r, c.query)
    const sorted = Object.keys(c.query).some((k) => k.startsWith('order['))
    const applied = Object.entries(defaults).filter(([k]) => !(sorted && k.startsWith('order[')))
    const extra = [{ sql: (next: (v: unknown) => string) => where(`${next(id)}::bigint`) }]
    const count = !p.partial && !p.whole
    const listed = await c.engine.list(r, c.actor, { ...Object.fromEntries(applied), ...c.query }, p, { count, extra })
    // If the list is empty, reads the owner, because the owner may not exist.
    if (!listed.size) await c.engine.one(of, c.actor, id)
    return listAnswer(c, r, path, p, listed)
  },
})

function listAnswer(c: RouteContext, r: Resource, path: string, p: ListPaging, listed: ListPage): RouteResponse {
  const url = path.replace(/\{(\w+)\}/g, (_, k: string) => encodeURIComponent(c.params[k] ?? ''))
  const minimal = prefersMinimal(c.request.headers.prefer)
  return new RouteResponse(
    200,
    formatListPage({ ...r, url }, queryText(c.query), p, listed, minimal),
    minimal ? MINIMAL_RESPONSE_HEADERS : {},
  )
}

/** Formats a page of a list that is not a list of resource records. */
export const hydraPage = (
  c: Pick<RouteContext, 'query'>,
  url: string,
  p: ListPaging,
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

/** Formats a complete list that is not a list of resource records. */
export const hydraCollection = (members: readonly unknown[]): ApiRecord => ({
  '@type': 'hydra:Collection',
  'hydra:totalItems': members.length,
  'hydra:member': members,
})
