import type { Resource } from '#kernel/resource.ts'
import type { Prepared } from '#server/db/db.ts'
import type { SelectPlan } from './plan.ts'
import type { Condition } from './query-values.ts'
import { prepare } from './values.ts'

/*
 * Lists searched by words. Rows with rare words are found by the word index and sorted; for frequent words, the first rows are soon found
 * by reading in the order of the list, and all of them would be too many to sort.
 */

/** Matches are counted to here at once; more are cached (see `totals.ts`). */
export const SEARCH_COUNT_LIMIT = 1001
/** Rows that are read in the order of the list before all matching ones are. */
const NEAREST_ROWS = 2000

export interface BoundQuery {
  readonly query: Prepared
  readonly values: readonly unknown[]
}

interface Search {
  readonly r: Resource
  readonly plan: SelectPlan
  /** Access conditions, one for each part with an index of its own. */
  readonly access: readonly string[]
  readonly plain: readonly string[]
  readonly searches: readonly Condition[]
  /** The matching rows of each part: from where, and which. */
  readonly matches: readonly string[]
  readonly terms: readonly string[]
  readonly limit: string
  readonly size: number
  readonly values: readonly unknown[]
  /** The rows of the page, out of all matching ones. */
  readonly page: string
}

export const joinFragments = (selects: readonly string[]) =>
  selects.length === 1 ? selects[0] : selects.map((s) => `(${s})`).join(' UNION ALL ')

/** The key columns of a row. */
export const keyOf = (r: Resource) => (r.tenant === 'shared' || r.tenant === 'self' ? 'id' : 'client_id, id')

/** One pass: matching rows, up to the cap, are counted and sorted. */
export function searchAllQuery({ r, plan, matches: found, terms, limit, values }: Search): BoundQuery {
  const key = keyOf(r)
  const places = terms.map((term, n) => ({
    by: term.replace(/ (?:ASC|DESC)$/, ''),
    as: `o${n}`,
    way: term.split(' ').at(-1),
  }))
  const columns = [key.replace(/(\w+)/g, 't.$1'), ...places.map(({ by, as }) => `${by} AS ${as}`)].join(', ')
  const each = found.map((f) => `SELECT ${columns} ${f} LIMIT ${SEARCH_COUNT_LIMIT}`)
  const hits = each.length === 1 ? each[0] : `SELECT * FROM (${joinFragments(each)}) c LIMIT ${SEARCH_COUNT_LIMIT}`
  const cut = `SELECT * FROM hits ORDER BY ${places.map(({ as, way }) => `${as} ${way}`).join(', ')} ${limit}`
  const text = `WITH hits AS MATERIALIZED (${hits}) SELECT ${plan.select}, (SELECT count(*) FROM hits) FROM (${cut}) k JOIN ${r.table} t USING (${key})${plan.joins} ORDER BY ${terms.join(', ')}`
  return { query: prepare(text), values }
}

/** Searches the nearest rows in the order of the list; all rows, where these do not fill the page. */
export function searchNearestQuery({
  r,
  plan,
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
    each.length === 1 ? each[0] : `SELECT t.* FROM (${joinFragments(each)}) t ${order} LIMIT ${NEAREST_ROWS}`
  const near = `SELECT t.* FROM (${nearest}) t WHERE ${words} ${order} ${limit}`
  const isFull = `(SELECT count(*) FROM near) = ${size}`
  const text = `WITH near AS MATERIALIZED (${near}) SELECT ${plan.select} FROM (SELECT * FROM near WHERE ${isFull} UNION ALL SELECT * FROM (${page}) p WHERE NOT ${isFull}) t${plan.joins} ${order}`
  return { query: prepare(text), values: bound }
}
