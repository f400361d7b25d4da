import { problem, violation } from '#kernel/errors.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { relatedRecordSql } from './access-sql.ts'
import { comparableFieldSql, contentSearch, isFilterableField, type RequestQuery } from './filters.ts'
import type { BoundValues } from './values.ts'

/**
 * Maximum fields to sort by. Limited because each combination is a separate prepared statement, and nobody needs more
 * than three.
 */
const MAX_ORDER_TERMS = 3

/**
 * Parses the sort order in a query. The default is the declaration's order, after a search of the content by rank. `id`
 * comes last, so that pages neither overlap nor skip rows. Sorts by a related record only within the actor's access.
 * Throws 422 for more than three fields.
 */
export const parseSortOrder = (
  r: Resource,
  actor: Actor | undefined,
  query: RequestQuery,
  v: Pick<BoundValues, 'next'>,
): string => [...rankTerms(r, query, v), ...orderByTerms(r, actor, query, v)].join(', ')

/** Returns the term that sorts a search of the content by rank, unless the query has an order of its own. */
export function rankTerms(r: Resource, query: RequestQuery, v: Pick<BoundValues, 'next'>): string[] {
  const search = Object.keys(query).some((key) => key.startsWith('order[')) ? undefined : contentSearch(r, query)
  return search ? [`${search.rank(v.next(search.text))} DESC`] : []
}

export function orderByTerms(
  r: Resource,
  actor: Actor | undefined,
  query: RequestQuery,
  v: Pick<BoundValues, 'next'>,
): string[] {
  const requested = Object.entries(query).flatMap(([key, v]) => {
    const path = /^order\[([\w.]+)\]$/.exec(key)?.[1]
    const way = typeof v === 'string' ? v.toUpperCase() : ''
    return path && (way === 'ASC' || way === 'DESC') ? [{ path, way }] : []
  })
  const known = requested.flatMap(({ path, way }) => {
    if (path === 'id') return [`t.id ${way}`]
    const [head = '', inner] = path.split('.')
    const f = r.fields[head]
    if (!isFilterableField(f) || !f.order) return []
    const place = comparableFieldSql(r, head)
    if (!inner && f.order === 'known first' && way === 'DESC') return [`(${place} IS NULL) ASC`, `${place} ${way}`]
    if (!inner) return [`${place} ${way}`]
    const target = f.kind === 'link' ? (f.target as () => Resource)() : undefined
    const there = target?.fields[inner]
    if (!target) return []
    if (inner === 'id') return [`t.${r.columns[head]} ${way}`]
    const column = isFilterableField(there) && there.order ? target.columns[inner] : undefined
    const related = column && relatedRecordSql(r, target, `t.${r.columns[head]}`, actor, v)
    return related ? [`(SELECT t.${column} ${related}) ${way}`] : []
  })
  if (requested.length > MAX_ORDER_TERMS)
    throw problem.invalid([violation('order', `A list can be ordered by at most ${MAX_ORDER_TERMS} fields.`)])
  const terms = known.length
    ? known
    : (r.order ?? []).map((o) =>
        o.startsWith('-') ? `t.${columnName(r, o.slice(1))} DESC` : `t.${columnName(r, o)} ASC`,
      )
  if (!terms.some((t) => t.startsWith('t.id '))) terms.push(terms.at(-1)?.endsWith('DESC') ? 't.id DESC' : 't.id ASC')
  return terms
}
const columnName = (r: Resource, field: string) => (field === 'id' ? 'id' : (r.columns[field] as string))
