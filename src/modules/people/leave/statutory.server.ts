import { type Instant, londonDate } from '#kernel/time.ts'
import type { SqlConn } from '#server/db/db.ts'
import type { Route } from '#server/engine/route.ts'
import type { RecordReader } from '#server/engine/types.ts'
import { employee } from '../employees/employee.ts'
import { countDays } from '../leave-rules/days.ts'
import { daysOfPart, type RequestPart, toRequestPart } from '../leave-rules/request-part.ts'
import { checkStatutoryLeave, type LeaveCondition, type StatutoryRule } from '../leave-rules/statutory-leave.ts'
import { workingMinutesOn } from '../leave-rules/work-pattern.ts'
import { EMPLOYEE_READER_ROLES } from '../rights.ts'
import type { DaySpan } from './absences.server.ts'
import { type EmployeeRow, readPatterns } from './history.server.ts'
import { leaveKind, leaveRequest } from './leave-request.ts'
import { spanOfParts } from './plan.server.ts'

interface StatutoryRequest {
  readonly rule: StatutoryRule | null | undefined
  readonly parts: readonly RequestPart[]
  readonly eventOn: string | null
  readonly noticeOn: string
}

/** Compares a request with the law on its kind of leave. Nothing is refused for the result: people decide. */
export async function readLeaveConditions(
  c: RecordReader,
  person: EmployeeRow,
  { rule, parts, eventOn, noticeOn }: StatutoryRequest,
): Promise<LeaveCondition[]> {
  if (!rule || !parts.length) return []
  const span = spanOfParts(parts)
  const patterns = (await readPatterns(c, [person.id])).get(person.id) ?? []
  const days = [...new Set(parts.flatMap((part) => daysOfPart(part, span)))]
  const worked = days.filter((day) => workingMinutesOn(patterns, day) > 0)
  return checkStatutoryLeave(rule, {
    employmentStart: person.extCStartDate,
    firstDay: span.from,
    calendarDays: parts.reduce((sum, { firstDay, lastDay }) => sum + countDays(firstDay, lastDay), 0),
    leaveDays: (worked.length ? worked : days).length,
    eventOn,
    noticeOn,
  })
}

/** Day on which notice was given: as human resources recorded it, or that of the request itself. */
export const noticeDay = (noticeOn: string | null | undefined, sentAt: Instant): string =>
  noticeOn ?? londonDate(sentAt).toString()

/** Counts the calendar days of approved leave other than annual leave in a period, by employee. */
export async function readOtherLeaveDays(
  tx: Pick<SqlConn, 'rows'>,
  clientId: number,
  { from, until }: DaySpan,
  employees: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await tx.rows<{ readonly employee: number; readonly days: number }>(
    `SELECT p.employee_id::int AS employee, count(DISTINCT d)::int AS days
     FROM leave_request r JOIN leave_request_part p ON p.client_id = r.client_id AND p.request_id = r.id,
       generate_series(greatest(p.first_day, $2::date), least(p.last_day, $3::date), interval '1 day') d
     WHERE r.client_id = $1 AND r.state = 'approved' AND NOT r.deducted AND r.last_day >= $2::date AND r.first_day <= $3::date
       AND r.employee_id = ANY($4::bigint[])
     GROUP BY p.employee_id`,
    [clientId, from, until, employees],
  )
  return new Map(rows.map(({ employee: id, days }) => [id, days]))
}

const conditionsRoute: Route = {
  method: 'GET',
  path: `${leaveRequest.url}/{id}/conditions`,
  title: 'Show whether service and notice of a leave request meet the law',
  allow: EMPLOYEE_READER_ROLES,
  handle: async ({ engine, actor, me, params }) => {
    const id = await engine.idOf(leaveRequest, actor, params.id)
    // Facts that the reader may not see are missing here, so that the result reveals none of them.
    const { employee: of, kind, parts, eventOn, noticeOn, createdAt } = await engine.one(leaveRequest, actor, id)
    const conditions = await engine.readIn(me.clientId, 'conditions of a readable leave request', async (c) => {
      const [person, { rule } = { rule: null }] = [await c.get(employee, of.id), await c.get(leaveKind, kind.id)]
      const request = {
        rule,
        parts: parts.map(toRequestPart),
        eventOn,
        noticeOn: noticeDay(noticeOn, Temporal.Instant.from(createdAt)),
      }
      return person ? readLeaveConditions(c, person, request) : []
    })
    return { '@id': `${leaveRequest.url}/${id}/conditions`, '@type': 'LeaveConditions', conditions }
  },
}

export const statutoryRoutes = [conditionsRoute]
