import type { SqlConn } from '#server/db/db.ts'
import type { CalendarLane } from './calendar.ts'

const MAX_LANES = 1000

export interface LaneReader {
  readonly clientId: number
  readonly userId: number
  readonly isHr: boolean
}

/**
 * Reads the lanes of a calendar: everyone whose leave the reader may read, and as busy only the colleagues of their own
 * department.
 */
export const readLanes = (
  tx: Pick<SqlConn, 'rows'>,
  { clientId, userId, isHr }: LaneReader,
  department: number | null = null,
): Promise<CalendarLane[]> =>
  tx.rows<CalendarLane>(
    `WITH me AS (SELECT id, department_id FROM employee WHERE client_id = $1 AND user_id = $2),
       approved AS (SELECT e.id FROM employee e LEFT JOIN department d ON d.client_id = e.client_id AND d.id = e.department_id
         JOIN me ON me.id IN (e.id, e.manager_id, d.approver_id, d.deputy_id) WHERE e.client_id = $1),
       charge AS (SELECT id FROM employees_in_charge($1, $2) c(id)
         UNION SELECT e.id FROM employee e JOIN department d ON d.client_id = e.client_id AND d.id = e.department_id
         WHERE e.client_id = $1 AND d.approver_id IN (SELECT id FROM me))
     SELECT e.id::int AS employee, e.name, e.department_id::int AS "departmentId", d.name AS department,
       ($3 OR e.id IN (SELECT id FROM charge)) AS detailed,
       ($3 OR e.id IN (SELECT id FROM approved)) AS approves, coalesce(e.user_id = $2, false) AS "isMe"
     FROM employee e LEFT JOIN department d ON d.client_id = e.client_id AND d.id = e.department_id
     WHERE e.client_id = $1 AND NOT e.retired AND NOT e.is_subby AND ($4::bigint IS NULL OR e.department_id = $4)
       AND ($3 OR e.id IN (SELECT id FROM charge) OR e.department_id IN (SELECT department_id FROM me))
     ORDER BY d.name NULLS LAST, e.surname, e.forename, e.id LIMIT ${MAX_LANES}`,
    [clientId, userId, isHr, department],
  )
