import { problem } from '#kernel/errors.ts'
import { cachePerResource } from '#kernel/per-declaration.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Query } from '#server/data/filters.ts'
import type { ListPage } from '#server/data/list-page.ts'
import { parameters } from '#server/data/parameters.ts'
import type { Page } from '#server/data/queries.ts'

const DEFAULT_PAGE_SIZE = 30
const MAX_PAGE_SIZE = 100
/** `pagination=false` returns the whole list, where it is allowed, up to this many. */
const MAX_UNPAGINATED = 5000
/** No list is this long, and the database counts no further. */
const MAX_OFFSET = 2_000_000_000

export interface Paging extends Page {
  readonly page: number
  readonly size: number
  readonly whole: boolean
  readonly partial: boolean
}

const number = (v: Query[string]) => (typeof v === 'string' && /^-?\d+$/.test(v) ? Number(v) : undefined)

/** Reads page, itemsPerPage, pagination and partial (API convention, section 3). */
export function paging(r: Resource, query: Query): Paging {
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

/** The `hydra:view` of a page; `undefined` where it needs none. */
export function viewOf(
  r: Pick<Resource, 'url'>,
  rawQuery: string,
  p: Paging,
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

/** The `hydra:search` of a list: every parameter that it accepts. */
const searchOf = cachePerResource((r) => JSON.stringify(searchAt(r.url, parameters(r))))

/** A `hydra:search`: the parameters of an address, with the property of each. */
export const searchAt = (
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

/** A page of a list as JSON-LD, with `hydra:search` unless the caller prefers it minimal. An unpaginated list is its own count. */
export function listText(r: Resource, rawQuery: string, p: Paging, listed: ListPage, minimal: boolean): string {
  const total = listed.total ?? (p.whole && !p.partial ? listed.size : undefined)
  const view = viewOf(r, rawQuery, p, listed)
  return `{"@context":"/api/contexts/${r.type}","@id":"${r.url}","@type":"hydra:Collection"${total === undefined ? '' : `,"hydra:totalItems":${total}`},"hydra:member":${listed.text('linked')}${view ? `,"hydra:view":${JSON.stringify(view)}` : ''}${minimal ? '' : `,"hydra:search":${searchOf(r)}`}}`
}
