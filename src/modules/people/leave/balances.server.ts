import { problem } from '#kernel/errors.ts'
import { date } from '#kernel/fields.ts'
import { londonDate } from '#kernel/time.ts'
import { findPackState } from '#modules/portal/packs/routes.server.ts'
import type { SqlConn } from '#server/db/db.ts'
import { parseDateParameter, type Route, type RouteContext } from '#server/engine/route.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { employee } from '../employees/employee.ts'
import { dayProblem } from '../leave-rules/day-limits.ts'
import { leaveYearOf } from '../leave-rules/leave-year.ts'
import { averageDayMinutes } from '../leave-rules/work-pattern.ts'
import { EMPLOYEE_READER_ROLES } from '../rights.ts'
import { readLeaveSettings, readPatterns, recountLeave } from './history.server.ts'
import { leaveAccount } from './leave-account.ts'

const PEOPLE_PER_RECOUNT = 200

/** Sums of an employee's leave year, in minutes. Leave that was taken is positive. */
export interface LeaveBalance {
  readonly employee: number
  readonly entitlement: number
  readonly statutory: number
  readonly carriedOver: number
  readonly adjusted: number
  readonly bankHolidays: number
  /** Approved leave that has started. */
  readonly taken: number
  /** Approved leave to come. */
  readonly booked: number
  /** Leave that waits for approval. */
  readonly waiting: number
  readonly paidInLieu: number
  /** Sum of all rows. */
  readonly left: number
}

/** Returns the query parameter `year`, by default today. Throws 400 if leave isn't calculated for the day. */
export function parseYearParameter(c: Pick<RouteContext, 'query'>, today: string): string {
  const day = parseDateParameter(c, 'year', today)
  const wrong = dayProblem(day, today)
  if (wrong) throw problem.badRequest(`"year": ${wrong}.`)
  return day
}

/** Sums the ledgers of employees for a leave year in one statement. Employees without rows are left out. */
export const readLeaveBalances = (
  tx: Pick<SqlConn, 'rows'>,
  clientId: number,
  year: string,
  employees: readonly number[],
  today: string,
): Promise<LeaveBalance[]> =>
  tx.rows<LeaveBalance>(
    `SELECT e.employee_id::int AS employee,
       coalesce(sum(e.minutes) FILTER (WHERE e.kind = 'entitlement'), 0)::int AS entitlement,
       coalesce(sum(e.minutes) FILTER (WHERE e.kind = 'entitlement' AND e.part <> 'additional'), 0)::int AS statutory,
       coalesce(sum(e.minutes) FILTER (WHERE e.kind = 'carryOver'), 0)::int AS "carriedOver",
       coalesce(sum(e.minutes) FILTER (WHERE e.kind = 'adjustment'), 0)::int AS adjusted,
       coalesce(-sum(e.minutes) FILTER (WHERE e.kind = 'bankHoliday'), 0)::int AS "bankHolidays",
       coalesce(-sum(e.minutes) FILTER (WHERE r.state = 'approved' AND r.first_day <= $4::date), 0)::int AS taken,
       coalesce(-sum(e.minutes) FILTER (WHERE r.state = 'approved' AND r.first_day > $4::date), 0)::int AS booked,
       coalesce(-sum(e.minutes) FILTER (WHERE r.state = 'requested'), 0)::int AS waiting,
       coalesce(-sum(e.minutes) FILTER (WHERE e.kind = 'payInLieu'), 0)::int AS "paidInLieu",
       sum(e.minutes)::int AS "left"
     FROM leave_entry e LEFT JOIN leave_request r ON r.client_id = e.client_id AND r.id = e.request_id
     WHERE e.client_id = $1 AND e.employee_id = ANY($2::bigint[]) AND e.year = $3::date
     GROUP BY e.employee_id`,
    [clientId, employees, year, today],
  )

const balanceRoute: Route = {
  method: 'GET',
  path: `${leaveAccount.url}/{id}/balance`,
  title: 'Read the leave balance of an employee in a leave year',
  allow: EMPLOYEE_READER_ROLES,
  query: { year: date({ help: 'A day of the leave year; today if left out.' }) },
  handle: async (c) => {
    const id = await c.engine.idOf(leaveAccount, c.actor, c.params.id)
    await c.engine.one(leaveAccount, c.actor, id)
    const year = await readLeaveYear(c, id, parseYearParameter(c, londonDate(c.now).toString()))
    return { '@id': `${leaveAccount.url}/${id}/balance`, '@type': 'LeaveBalance', ...year }
  },
}

/** Reads the leave year of an employee that contains a day, with its balance: null if the ledger has no rows. */
export async function readLeaveYear({ engine, me, now }: RouteContext, employeeId: number, day: string) {
  const today = londonDate(now).toString()
  const { yearStartsOn, unit, dayMinutes } = await engine.readIn(
    me.clientId,
    'the rules of leave are known to all',
    async (read) => {
      const settings = await readLeaveSettings(read, me.clientId)
      const patterns = (await readPatterns(read, [employeeId])).get(employeeId) ?? []
      return { ...settings, dayMinutes: averageDayMinutes(patterns, today) }
    },
  )
  const year = leaveYearOf(day, yearStartsOn)
  const [balance] = await engine.db.tx({ clientId: me.clientId }, (tx) =>
    readLeaveBalances(tx, me.clientId, year.from, [employeeId], today),
  )
  return { unit, dayMinutes, ...year, balance: balance ?? null }
}

/** Counts the ledgers of all employees in service. */
export async function recountEveryone(c: Context): Promise<void> {
  const people = await c.find(employee, { retired: false })
  for (let n = 0; n < people.length; n += PEOPLE_PER_RECOUNT) {
    const ids = people.slice(n, n + PEOPLE_PER_RECOUNT).map(({ id }) => id)
    await recountLeave(c, await c.lockAll(employee, { id: ids }))
  }
}

/** Each morning, a new leave year may begin, or carried leave expire. */
const recountSchedule = schedule({
  name: 'leave-recount',
  every: { daily: '02:30' },
  perClient: async (c) => {
    if ((await findPackState(c, c.clientId, 'holidays')) === 'active') await recountEveryone(c)
  },
})

export const balanceRoutes = [balanceRoute]
export const leaveSchedules = [recountSchedule]
