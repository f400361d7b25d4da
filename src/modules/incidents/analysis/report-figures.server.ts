import type { RequestQuery } from '#server/data/filters.ts'
import { matchingRowsCondition } from '#server/data/matching-rows.ts'
import { BoundValues } from '#server/data/values.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { incidentReport } from '../reports/incident-report.ts'
import { listMonths, type MonthSpan, monthStart } from './months.ts'

export type FiguresContext = Pick<RouteContext, 'engine' | 'me'>

export interface FiguresQuery {
  readonly columns: (next: (value: unknown) => string) => string
  readonly join?: string
  readonly where?: readonly string[]
  readonly groupBy?: string
  /** Returns a query over the rows. */
  readonly around?: (text: string) => string
}

/**
 * Reads rows of incidents `t` that match a list's query, within the actor's access. The statement is planned for its
 * values: with a generic plan, PostgreSQL would expect few incidents and look up the people in each.
 */
export async function readReports<T>(
  { engine, me }: FiguresContext,
  query: RequestQuery,
  { columns, join = '', where = [], groupBy, around = (text) => text }: FiguresQuery,
): Promise<readonly T[]> {
  const v = new BoundValues()
  const matching = matchingRowsCondition(incidentReport, me, query, engine.extraFilters(incidentReport, query), v)
  if (!matching) return []
  const text = `SELECT ${columns(v.next)} FROM incident_report t${join} WHERE ${[...matching, ...where].join(' AND ')}${groupBy ? ` GROUP BY ${groupBy}` : ''}`
  return engine.db.read.rows<T>(around(text), v.list)
}

/** Incidents that share a value; the key is empty for those without one. */
export interface CountedGroup {
  readonly key: string
  readonly count: number
}

export interface ReportFigures {
  readonly nearMisses: number
  readonly months: ReadonlyMap<string, number>
  readonly kinds: readonly CountedGroup[]
  readonly sites: readonly CountedGroup[]
  readonly departments: readonly CountedGroup[]
}

/** Values of `grouping()` for the columns by which incidents are counted. */
const [BY_MONTH, BY_KIND, BY_SITE, BY_DEPARTMENT] = [7, 11, 13, 14]

interface CountedRow {
  readonly by: number
  readonly key: number | string | null
  readonly isNearMiss: boolean | null
  readonly count: number | string
}

/** Counts incidents by month, kind, site and department, in one pass. The query must select these months. */
export async function countReports(c: FiguresContext, query: RequestQuery, months: MonthSpan): Promise<ReportFigures> {
  const listed = listMonths(months)
  const rows = await readReports<CountedRow>(c, query, {
    // Searching the first instants of the months is faster than calculating the month of each local time.
    columns: (next) => `width_bucket(t.happened_at, ${next(listed.map(monthStart))}::timestamptz[]) AS month,
      t.near_miss, t.incident_type_id AS kind, t.site_id AS site, t.department_id AS department`,
    around: (
      text,
    ) => `SELECT grouping(month, kind, site, department) AS by, coalesce(month, kind, site, department) AS key, near_miss AS "isNearMiss", count(*)
      FROM (${text}) i GROUP BY GROUPING SETS ((month, near_miss), (kind), (site), (department))`,
  })
  const groups = (set: number): CountedGroup[] =>
    rows.flatMap(({ by, key, count }) => (by === set ? [{ key: String(key ?? ''), count: Number(count) }] : []))
  const counts = new Map<string, number>()
  for (const { key, count } of groups(BY_MONTH)) {
    const month = listed[Number(key) - 1] ?? ''
    counts.set(month, (counts.get(month) ?? 0) + count)
  }
  return {
    nearMisses: rows.reduce((sum, { isNearMiss, count }) => (isNearMiss ? sum + Number(count) : sum), 0),
    months: counts,
    kinds: groups(BY_KIND),
    sites: groups(BY_SITE),
    departments: groups(BY_DEPARTMENT),
  }
}
