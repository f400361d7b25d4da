import { text } from '#kernel/fields.ts'
import { lastIriSegment } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import type { SqlConn } from '#server/db/db.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { parseDateParameter, type Route } from '#server/engine/route.ts'
import { SEE_ALL_SALES_ROLES, SELLER_ROLE } from '../rights.ts'

/** A person's calls or sales in one day, month or year. Read from running totals, not counted from notes. */
export interface ActivityTotal {
  readonly what: 'call' | 'sale'
  /** Staff ID; 0 for unassigned calls or sales. */
  readonly person: number
  /** First day of the span, which is a day, month or year, for example `2026-11-01`. */
  readonly from: string
  /** For calls, the ID of the outcome, or 0 if there is none; for sales, the currency. */
  readonly kind: string
  readonly count: number
  /** For calls, minutes; for sales, pence excluding VAT. */
  readonly amount: number
}

export type ActivitySpan = 'day' | 'month' | 'year'

/** Period between two ISO dates, both included. */
export interface DatePeriod {
  readonly from: string
  readonly to: string
}

/**
 * Reads the running totals of a period, grouped by span. The rows are unordered, because sorting a year's rows for a
 * hundred people takes longer than summing them. For months and years, `from` and `to` must be the first and last day
 * of a month or year. `people` restricts the result to these staff IDs.
 */
export async function readActivityTotals(
  conn: SqlConn,
  clientId: number,
  span: ActivitySpan,
  { from, to }: DatePeriod,
  people: readonly number[] | undefined,
): Promise<ActivityTotal[]> {
  const table = span === 'day' ? 'work_day' : 'work_month'
  // Casts to a timestamp without time zone, so that dates are not converted.
  const first = span === 'day' ? 'day' : `date_trunc('${span}', day::timestamp)::date`
  // Includes changes that no job has added to the running totals yet.
  return conn.rows<ActivityTotal>(
    `SELECT what, staff_id::int AS person, first::text AS "from", kind, sum(n)::int AS count, sum(amount)::float8 AS amount FROM (
       SELECT what, staff_id, ${first} AS first, kind, n, amount FROM ${table} WHERE client_id = $1 AND what IN ('call', 'sale') AND day BETWEEN $2 AND $3
       UNION ALL
       SELECT what, staff_id, ${first}, kind, n, amount FROM work_change WHERE client_id = $1 AND day BETWEEN $2 AND $3) w
     WHERE $4::bigint[] IS NULL OR staff_id = ANY ($4)
     GROUP BY what, staff_id, first, kind HAVING sum(n) <> 0 OR sum(amount) <> 0`,
    [clientId, from, to, people ?? null],
  )
}

/** A person whose figures the user may see. */
export interface VisibleSeller {
  readonly '@id': string
  readonly id: number
  readonly name: string
  readonly user: number | null
  readonly callsPerDay: number
  readonly retired: boolean
}

export const canSeeAllFigures = (c: RouteContext): boolean => hasRole(c.me, SEE_ALL_SALES_ROLES)

/** Maximum number of people in the figures. No provider employs more. */
const MAX_PEOPLE = 1000

/**
 * Lists the people whose figures the actor may see, by name: everybody for managers, otherwise the actor and their
 * team.
 */
export async function findVisibleSellers(c: RouteContext, everybody = canSeeAllFigures(c)): Promise<VisibleSeller[]> {
  const theirs: RequestQuery = everybody ? {} : { user: [c.me.userId, ...(c.me.team ?? [])].map(String) }
  const query = { tray: 'false', 'order[name]': 'asc', ...theirs }
  const { members } = await c.engine.list(staff, c.me, query, { limit: MAX_PEOPLE, offset: 0 }, { count: false })
  return members.map(({ id, name, user, callsPerDay, retired }) => ({
    '@id': iriOf(staff, id),
    id,
    name,
    user: user === null ? null : Number(lastIriSegment(user)),
    callsPerDay,
    retired,
  }))
}

/**
 * Reads the running totals of the user's company for the given staff IDs or, if `people` is undefined, for everybody.
 */
export const readVisibleActivityTotals = (
  c: RouteContext,
  span: ActivitySpan,
  period: DatePeriod,
  people: readonly number[] | undefined,
) => c.engine.db.tx({ clientId: c.me.clientId }, (tx) => readActivityTotals(tx, c.me.clientId, span, period, people))

const MONEY = 'GBP'
/** Number of years in a response with yearly figures. */
const YEARS = 5

interface Sums {
  readonly calls: number
  readonly minutes: number
  readonly sales: number
  /** Pence excluding VAT, for sales in pounds only. */
  readonly amount: number
}

const sumsOf = (work: readonly ActivityTotal[]): Sums => {
  const sum = (what: ActivityTotal['what'], of: (one: ActivityTotal) => number) =>
    work.reduce((n, one) => (one.what === what ? n + of(one) : n), 0)
  return {
    calls: sum('call', (one) => one.count),
    minutes: sum('call', (one) => one.amount),
    sales: sum('sale', (one) => one.count),
    amount: sum('sale', (one) => (one.kind === MONEY ? one.amount : 0)),
  }
}

/** Returns the first and last day of the day, month or year that contains the given day. */
export function periodContaining(day: Temporal.PlainDate, span: ActivitySpan): DatePeriod {
  const from = span === 'day' ? day : span === 'month' ? day.with({ day: 1 }) : day.with({ month: 1, day: 1 })
  const next = from.add(span === 'day' ? { days: 1 } : span === 'month' ? { months: 1 } : { years: 1 })
  return { from: from.toString(), to: next.subtract({ days: 1 }).toString() }
}

const askedDay = (c: RouteContext) =>
  Temporal.PlainDate.from(parseDateParameter(c, 'date', londonDate(c.now).toString()))

const query = { date: text({ help: 'A day in the period, such as 2026-11-25. The default is today.' }) }
const named = ({ '@id': iri, id, name }: VisibleSeller) => ({ '@id': iri, id, name })

/** Creates the route that returns the top ten sellers in a day, month or year, which every seller may see. */
const top = (span: ActivitySpan): Route => ({
  method: 'GET',
  path: `/api/sales/top_users/${span}`,
  title: `Get the top ten sellers in a ${span}, by amount and number of sales`,
  allow: SELLER_ROLE,
  query,
  handle: async (c) => {
    const period = periodContaining(askedDay(c), span)
    const [people, work] = [
      await findVisibleSellers(c, true),
      await readVisibleActivityTotals(c, span, period, undefined),
    ]
    const users = people
      .map((p) => ({ ...named(p), ...sumsOf(work.filter((w) => w.person === p.id)) }))
      .filter((p) => p.sales > 0)
      .sort((a, b) => b.amount - a.amount || b.sales - a.sales)
      .slice(0, 10)
      .map(({ calls: _calls, minutes: _minutes, ...p }) => p)
    return { '@id': `/api/sales/top_users/${span}?date=${period.from}`, ...period, users }
  },
})

const company: Route = {
  method: 'GET',
  path: '/api/sales/company/month',
  title: 'Get the company’s calls and sales in each month of a year',
  allow: SELLER_ROLE,
  query,
  handle: async (c) => {
    const year = periodContaining(askedDay(c), 'year')
    const work = await readVisibleActivityTotals(c, 'month', year, undefined)
    const months = monthsOf(year).map((month) => ({ month, ...sumsOf(work.filter((w) => w.from === month)) }))
    return { '@id': `/api/sales/company/month?date=${year.from}`, ...year, months }
  },
}

const monthsOf = ({ from }: DatePeriod) =>
  Array.from({ length: 12 }, (_, n) => Temporal.PlainDate.from(from).add({ months: n }).toString())

/** Returns figures by person: everybody's for managers, otherwise those of the user and their team. */
async function byPerson(c: RouteContext, span: 'month' | 'year', period: DatePeriod, spans: readonly string[]) {
  const people = await findVisibleSellers(c)
  const work = await readVisibleActivityTotals(
    c,
    span,
    period,
    canSeeAllFigures(c) ? undefined : people.map((p) => p.id),
  )
  const worked = Map.groupBy(work, (w) => w.person)
  return people.flatMap((p) => {
    const own = worked.get(p.id) ?? []
    return own.length || !p.retired
      ? [
          {
            ...named(p),
            [`${span}s`]: spans.map((at) => ({ [span]: at, ...sumsOf(own.filter((w) => w.from === at)) })),
          },
        ]
      : []
  })
}

const userByMonth: Route = {
  method: 'GET',
  path: '/api/sales/users/month',
  title: 'Get each person’s calls and sales in each month of a year: for everybody, or for your team and yourself',
  allow: SELLER_ROLE,
  query,
  handle: async (c) => {
    const year = periodContaining(askedDay(c), 'year')
    const users = await byPerson(c, 'month', year, monthsOf(year))
    return { '@id': `/api/sales/users/month?date=${year.from}`, ...year, users }
  },
}

const userByYear: Route = {
  method: 'GET',
  path: '/api/sales/users/year',
  title: `Get each person’s calls and sales in the ${YEARS} years up to a year: for everybody, or for your team and yourself`,
  allow: SELLER_ROLE,
  query,
  handle: async (c) => {
    const last = Temporal.PlainDate.from(periodContaining(askedDay(c), 'year').from)
    const years = Array.from({ length: YEARS }, (_, n) => last.subtract({ years: YEARS - 1 - n }).toString())
    const period = { from: years[0] ?? '', to: last.add({ years: 1 }).subtract({ days: 1 }).toString() }
    return {
      '@id': `/api/sales/users/year?date=${last.toString()}`,
      ...period,
      users: await byPerson(c, 'year', period, years),
    }
  },
}

export const salesServiceRoutes: readonly Route[] = [
  top('day'),
  top('month'),
  top('year'),
  company,
  userByMonth,
  userByYear,
]
