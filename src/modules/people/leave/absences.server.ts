import type { SqlConn } from '#server/db/db.ts'
import { daysOfPart, type Portion, type RequestPart } from '../leave-rules/request-part.ts'
import type { DayCover } from './leave-plan.ts'

/** Absence of an employee: leave that waits or is approved, or sickness. */
export interface Absence extends RequestPart {
  readonly employee: number
  readonly state: 'requested' | 'approved' | 'sick'
  readonly request: number | null
  readonly kind: number | null
  /** True if the kind of absence is private, so that only its approver sees it. */
  readonly isPrivate: boolean
}

export interface DaySpan {
  readonly from: string
  readonly until: string
}

/** Reads the absences of employees that touch a period, in one statement. */
export const readAbsences = (
  tx: Pick<SqlConn, 'rows'>,
  clientId: number,
  { from, until }: DaySpan,
  employees: readonly number[],
): Promise<Absence[]> =>
  tx.rows<Absence & { readonly portion: Portion }>(
    `SELECT p.employee_id::int AS employee, p.first_day::text AS "firstDay", p.last_day::text AS "lastDay", p.portion,
       p.from_time AS "from", p.until_time AS "until", r.state, r.id::int AS request, r.kind_id::int AS kind, NOT r.deducted AS "isPrivate"
     FROM leave_request_part p JOIN leave_request r ON r.client_id = p.client_id AND r.id = p.request_id
     WHERE p.client_id = $1 AND p.live AND p.last_day >= $2::date AND p.first_day <= $3::date AND p.employee_id = ANY($4::bigint[])
     UNION ALL
     SELECT s.employee_id::int, s.first_day::text, least(coalesce(s.last_day, london_today()), $3::date)::text, 'day', NULL, NULL, 'sick', NULL, NULL, false
     FROM sickness_absence s
     WHERE s.client_id = $1 AND NOT s.retired AND coalesce(s.last_day, london_today()) >= $2::date AND s.first_day <= $3::date AND s.employee_id = ANY($4::bigint[])
     ORDER BY 1, 2`,
    [clientId, from, until, employees],
  )

/**
 * Counts the members of a department who are at work on each day on which any of them works. `members` states whether a
 * member works on a day: people with irregular hours, or without a pattern, are not counted.
 */
export function countCover(
  days: readonly string[],
  members: ReadonlyMap<number, (day: string) => boolean>,
  absences: readonly Absence[],
  minimum: number,
): DayCover[] {
  const span = { from: days[0] ?? '', until: days.at(-1) ?? '' }
  const absent = new Set(
    absences
      .filter(({ portion }) => portion === 'day')
      .flatMap((one) => daysOfPart(one, span).map((day) => `${one.employee} ${day}`)),
  )
  return days.flatMap((day) => {
    const working = [...members].flatMap(([id, works]) => (works(day) ? [id] : []))
    const atWork = working.filter((id) => !absent.has(`${id} ${day}`)).length
    return working.length ? [{ day, atWork, minimum }] : []
  })
}
