import { packState } from '#kernel/packs.ts'
import { hasRole } from '#kernel/roles.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { readLeaveYear } from '#modules/people/leave/balances.server.ts'
import { leaveAccount } from '#modules/people/leave/leave-account.ts'
import { leaveRequest } from '#modules/people/leave/leave-request.ts'
import { LEAVE_PATHS, leaveRequestPath } from '#modules/people/leave/nav.ts'
import { formatLeave } from '#modules/people/leave-report/report.ts'
import { EMPLOYEE_READER_ROLES } from '#modules/people/rights.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { MAX_TASKS, type MyLeave } from './my-tasks.ts'

const LISTED_STATES = ['requested', 'approved', 'declined']

/** Reads the leave of the employee that the user is; null if there is none, or without the product. */
export async function readOwnLeave(c: RouteContext): Promise<MyLeave | null> {
  const state = packState(c.me, 'holidays')
  if (state === 'none' || !hasRole(c.me, EMPLOYEE_READER_ROLES)) return null
  const mine = { sql: (next: (value: unknown) => string) => `t.user_id = ${next(c.me.userId)}::bigint` }
  const query = { retired: 'false', subcontractor: 'false' }
  const { members } = await c.engine.list(
    leaveAccount,
    c.me,
    query,
    { limit: 1, offset: 0 },
    { count: false, extra: [mine] },
  )
  const [self] = members
  if (!self) return null
  const today = londonDate(c.now).toString()
  const { unit, dayMinutes, balance, from, until } = await readLeaveYear(c, self.id, today)
  const requests = await c.engine.list(
    leaveRequest,
    c.me,
    { employee: String(self.id), state: LISTED_STATES, 'lastDay[after]': today, 'order[firstDay]': 'asc' },
    { limit: MAX_TASKS, offset: 0 },
    { count: false },
  )
  const stateLabels = new Map((leaveRequest.fields.state.options ?? []).map(({ value, label }) => [value, label]))
  return {
    left: balance && formatLeave(balance.left, unit, dayMinutes),
    year: { from, until },
    requests: requests.members.map(({ id, firstDay, lastDay, kind, state: decided }) => ({
      key: `leave ${id}`,
      title:
        firstDay === lastDay
          ? formatIsoDateAsUk(firstDay)
          : `${formatIsoDateAsUk(firstDay)} to ${formatIsoDateAsUk(lastDay)}`,
      detail: `${kind.name}: ${(stateLabels.get(decided) ?? decided).toLowerCase()}`,
      to: leaveRequestPath(id),
      due: null,
    })),
    request: state === 'active' ? LEAVE_PATHS.request : null,
    calendar: LEAVE_PATHS.calendar,
  }
}
