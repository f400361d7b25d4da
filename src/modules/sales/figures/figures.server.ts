import { endOfIri } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import type { Query } from '#server/data/filters.ts'
import type { Conn } from '#server/db/db.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { SEE_ALL_SALES_ROLES } from '../rights.ts'

/** Calls or sales of a person per day, month or year, read from the running totals rather than from notes. */
export interface WorkTotal {
  readonly what: 'call' | 'sale'
  /** Staff id; 0 for nobody. */
  readonly person: number
  /** First day of the span, `2026-11-01`. */
  readonly from: string
  /** For calls the id of the last result, for sales the currency. */
  readonly kind: string
  readonly count: number
  /** Minutes, or pence excluding VAT. */
  readonly amount: number
}

export type WorkSpan = 'day' | 'month' | 'year'

/** ISO dates, both inclusive. */
export interface DatePeriod {
  readonly from: string
  readonly to: string
}

/**
 * Reads running totals of a period by span, unordered (sorting a year of a hundred people takes longer than summing
 * it). Months and years cover whole months: `from` and `to` are then the first and last day of one. `people` limits the
 * staff ids.
 */
export async function readWorkTotals(
  conn: Conn,
  clientId: number,
  span: WorkSpan,
  { from, to }: DatePeriod,
  people: readonly number[] | undefined,
): Promise<WorkTotal[]> {
  const table = span === 'day' ? 'work_day' : 'work_month'
  // Avoids time zones: dates need no lookup.
  const first = span === 'day' ? 'day' : `date_trunc('${span}', day::timestamp)::date`
  // Includes differences that no job has folded yet.
  return conn.rows<WorkTotal>(
    `SELECT what, staff_id::int AS person, first::text AS "from", kind, sum(n)::int AS count, sum(amount)::float8 AS amount FROM (
       SELECT what, staff_id, ${first} AS first, kind, n, amount FROM ${table} WHERE client_id = $1 AND what IN ('call', 'sale') AND day BETWEEN $2 AND $3
       UNION ALL
       SELECT what, staff_id, ${first}, kind, n, amount FROM work_change WHERE client_id = $1 AND day BETWEEN $2 AND $3) w
     WHERE $4::bigint[] IS NULL OR staff_id = ANY ($4)
     GROUP BY what, staff_id, first, kind HAVING sum(n) <> 0 OR sum(amount) <> 0`,
    [clientId, from, to, people ?? null],
  )
}

/** A person whose figures are shown. */
export interface SellerFigures {
  readonly '@id': string
  readonly id: number
  readonly name: string
  readonly user: number | null
  readonly callsPerDay: number
  readonly retired: boolean
}

export const canSeeAllFigures = (c: RouteContext): boolean => hasRole(c.me, SEE_ALL_SALES_ROLES)

/** More people than one provider employs. */
const MOST = 1000

/** People whose figures the actor may see, by name: everybody for managers, otherwise their team and themselves. */
export async function sellersVisibleTo(c: RouteContext, everybody = canSeeAllFigures(c)): Promise<SellerFigures[]> {
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

/** Running totals of the people whose figures the actor may see. */
export const workTotalsVisibleTo = (
  c: RouteContext,
  span: WorkSpan,
  period: DatePeriod,
  people: readonly number[] | undefined,
) => c.engine.db.tx({ clientId: c.me.clientId }, (tx) => readWorkTotals(tx, c.me.clientId, span, period, people))
