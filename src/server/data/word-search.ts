import type { Resource } from '#kernel/resource.ts'
import type { PreparedSql } from '#server/db/db.ts'
import type { QueryCondition } from './values.ts'
import { prepareSql } from './values.ts'

/*
 * Word search in lists. Rows with rare words are found through the word index and then sorted. Rows with frequent words
 * would be too many to sort, but reading in list order soon finds the first ones.
 */

/** Number up to which matches are counted immediately; larger counts are cached (see `totals.ts`). */
export const SEARCH_COUNT_LIMIT = 1001
/**
 * The same for a search that ranks its results. Above it, results are in list order, because ranking would read all of
 * them.
 */
export const RANKED_COUNT_LIMIT = 5001
/** Number of rows that are read in list order before all matching rows are selected. */
const NEAREST_ROWS = 2000

export interface BoundQuery {
  readonly query: PreparedSql
  readonly values: readonly unknown[]
}

interface Search {
  readonly r: Resource
  /** Select list and joins of the results. */
  readonly select: string
  readonly joins: string
  /** Number up to which matches are counted and sorted. */
  readonly cap: number
  /** Order of the results up to that number, and the values to bind with it. */
  readonly ranking: { readonly terms: readonly string[]; readonly values: readonly unknown[] }
  /** Access conditions. Each is queried separately, so that each can use an index of its own. */
  readonly access: readonly string[]
  readonly plain: readonly string[]
  readonly searches: readonly QueryCondition[]
  /** FROM and WHERE clauses for the matching rows of each access condition. */
  readonly matches: readonly string[]
  readonly terms: readonly string[]
  readonly limit: string
  readonly size: number
  readonly values: readonly unknown[]
  /** SQL that selects the rows of the page from all matching rows. */
  readonly page: string
}

export const joinSelects = (selects: readonly string[]) =>
  selects.length === 1 ? selects[0] : selects.map((s) => `(${s})`).join(' UNION ALL ')

export const keyColumnsOf = (r: Resource) => (r.tenant === 'shared' || r.tenant === 'self' ? 'id' : 'client_id, id')

/** Returns a query that counts and sorts the matching rows, up to the cap, in one pass. */
export function buildAllMatchesQuery({ r, select, joins, cap, ranking, matches: found, limit }: Search): BoundQuery {
  const key = keyColumnsOf(r)
  const places = ranking.terms.map((term, n) => ({
    by: term.replace(/ (?:ASC|DESC)$/, ''),
    as: `o${n}`,
    way: term.split(' ').at(-1),
  }))
  const columns = [key.replace(/(\w+)/g, 't.$1'), ...places.map(({ by, as }) => `${by} AS ${as}`)].join(', ')
  const each = found.map((f) => `SELECT ${columns} ${f} LIMIT ${cap}`)
  const hits = each.length === 1 ? each[0] : `SELECT * FROM (${joinSelects(each)}) c LIMIT ${cap}`
  const order = (of: string) => places.map(({ as, way }) => `${of}${as} ${way}`).join(', ')
  const cut = `SELECT * FROM hits ORDER BY ${order('')} ${limit}`
  const text = `WITH hits AS MATERIALIZED (${hits}) SELECT ${select}, (SELECT count(*) FROM hits) FROM (${cut}) k JOIN ${r.table} t USING (${key})${joins} ORDER BY ${order('k.')}`
  return { query: prepareSql(text), values: ranking.values }
}

/**
 * Returns a query that searches the nearest rows in list order, and all rows if the nearest ones do not fill the page.
 */
export function buildNearestMatchesQuery({
  r,
  select,
  joins,
  access,
  plain,
  searches,
  terms,
  limit,
  size,
  values,
  page,
}: Search): BoundQuery {
  const bound = [...values]
  const words = searches.map((c) => c.sql((value) => `$${bound.push(value)}`, true)).join(' AND ')
  const order = `ORDER BY ${terms.join(', ')}`
  const each = access.map(
    (one) => `SELECT t.* FROM ${r.table} t WHERE ${[one, ...plain].join(' AND ')} ${order} LIMIT ${NEAREST_ROWS}`,
  )
  const nearest =
    each.length === 1 ? each[0] : `SELECT t.* FROM (${joinSelects(each)}) t ${order} LIMIT ${NEAREST_ROWS}`
  const near = `SELECT t.* FROM (${nearest}) t WHERE ${words} ${order} ${limit}`
  const isFull = `(SELECT count(*) FROM near) = ${size}`
  const text = `WITH near AS MATERIALIZED (${near}) SELECT ${select} FROM (SELECT * FROM near WHERE ${isFull} UNION ALL SELECT * FROM (${page}) p WHERE NOT ${isFull}) t${joins} ${order}`
  return { query: prepareSql(text), values: bound }
}
