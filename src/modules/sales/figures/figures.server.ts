import { endOfIri } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import type { Query } from '#server/data/filters.ts'
import type { Conn } from '#server/db/db.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { SEE_ALL } from '../rights.ts'

/** What was done, by whom, in a day, a month or a year: read from what the writes have counted, never from the notes. */
export interface Worked {
  readonly what: 'call' | 'sale'
  /** A staff id; 0 is nobody. */
  readonly person: number
  /** The first day of the span, `2026-11-01`. */
  readonly from: string
  /** A last result's id, of calls; the currency, of sales. */
  readonly kind: string
  readonly count: number
  /** Minutes, or pence without VAT. */
  readonly amount: number
}

export type Span = 'day' | 'month' | 'year'

/** Both days are in it; ISO dates. */
export interface Period {
  readonly from: string
  readonly to: string
}

/**
 * Reads what was counted in a period, by spans, in no order: to sort a year of a hundred people takes longer than to add it up. Months and years take whole months: `from` and `to` are then the first and the last day of
 * one. `people`: staff ids whose work is read; everybody's unless said.
 */
export async function readWork(
  conn: Conn,
  clientId: number,
  span: Span,
  { from, to }: Period,
  people: readonly number[] | undefined,
): Promise<Worked[]> {
  const table = span === 'day' ? 'work_day' : 'work_month'
  // Days have no time zone: as if they had one, each would be looked up in its calendar.
  const first = span === 'day' ? 'day' : `date_trunc('${span}', day::timestamp)::date`
  // Differences that no job has folded yet stand beside what it has.
  return conn.rows<Worked>(
    `SELECT what, staff_id::int AS person, first::text AS "from", kind, sum(n)::int AS count, sum(amount)::float8 AS amount FROM (
       SELECT what, staff_id, ${first} AS first, kind, n, amount FROM ${table} WHERE client_id = $1 AND what IN ('call', 'sale') AND day BETWEEN $2 AND $3
       UNION ALL
       SELECT what, staff_id, ${first}, kind, n, amount FROM work_change WHERE client_id = $1 AND day BETWEEN $2 AND $3) w
     WHERE $4::bigint[] IS NULL OR staff_id = ANY ($4)
     GROUP BY what, staff_id, first, kind HAVING sum(n) <> 0 OR sum(amount) <> 0`,
    [clientId, from, to, people ?? null],
  )
}

/** Somebody whose work is shown. */
export interface Seller {
  readonly '@id': string
  readonly id: number
  readonly name: string
  readonly user: number | null
  readonly callsPerDay: number
  readonly retired: boolean
}

export const seesAll = (c: RouteContext): boolean => hasRole(c.me, SEE_ALL)

/** More people than work for one provider. */
const MOST = 1000

/** Those whose work the actor may look at, by name: everybody's, for whoever leads; otherwise that of their team, and their own. */
export async function sellersFor(c: RouteContext, everybody = seesAll(c)): Promise<Seller[]> {
  const theirs: Query = everybody ? {} : { user: [c.me.userId, ...(c.me.team ?? [])].map(String) }
  const query = { tray: 'false', 'order[name]': 'asc', ...theirs }
  const { members } = await c.engine.list(staff, c.me, query, { limit: MOST, offset: 0 }, { count: false })
  return members.map(({ id, name, user, callsPerDay, retired }) => ({
    '@id': iriOf(staff, id),
    id,
    name,
    user: user === null ? null : Number(endOfIri(user)),
    callsPerDay,
    retired,
  }))
}

/** What was counted for those whose work the actor may look at. */
export const workFor = (c: RouteContext, span: Span, period: Period, people: readonly number[] | undefined) =>
  c.engine.db.tx({ clientId: c.me.clientId }, (tx) => readWork(tx, c.me.clientId, span, period, people))
