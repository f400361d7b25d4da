import { formatIsoDateAsUk } from '#kernel/time.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { findUsersWithRoles } from '#server/auth/accounts.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { department, employee } from '../employees/employee.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from '../rights.ts'
import { leaveDecided, leaveRequested } from './events.ts'
import { type LeaveRequest, leaveRequest } from './leave-request.ts'
import { leaveRequestPath } from './nav.ts'

const WORDS: Readonly<Record<LeaveRequest['state'], string>> = {
  requested: 'waits for approval',
  approved: 'was approved',
  declined: 'was declined',
  withdrawn: 'was withdrawn',
  cancelled: 'was cancelled',
}

const toDecideNotification = declareNotificationType({
  kind: 'leave.to-decide',
  label: 'Leave requests that wait for my decision',
  for: EMPLOYEE_READER_ROLES,
  icon: 'calendar',
  of: leaveRequest,
  words: ({ employee: { name }, kind, firstDay, state }) =>
    `${kind.name} of ${name} from ${formatIsoDateAsUk(firstDay)} ${WORDS[state]}`,
  path: ({ id }) => leaveRequestPath(id),
  waits: 'People',
  todo: 'to decide',
  mail: true,
})

const decidedNotification = declareNotificationType({
  kind: 'leave.decided',
  label: 'Decisions on my leave requests',
  for: EMPLOYEE_READER_ROLES,
  icon: 'calendar',
  of: leaveRequest,
  words: ({ kind, firstDay, state }) =>
    `Your ${kind.name.toLowerCase()} from ${formatIsoDateAsUk(firstDay)} ${WORDS[state]}`,
  path: ({ id }) => leaveRequestPath(id),
  mail: true,
})

/**
 * Returns the users who decide: the approver and deputy of the department, otherwise the manager, otherwise
 * human resources. The employee is never asked.
 */
async function findDeciders(c: Context, request: LeaveRequest): Promise<number[]> {
  const person = await c.get(employee, request.employee)
  const group = person?.department ? await c.get(department, person.department) : undefined
  const ids = [group?.approver ?? person?.manager, group?.deputy].flatMap((id) => id ?? [])
  const people = ids.length ? await c.find(employee, { id: ids, retired: false }) : []
  const users = people.flatMap(({ user }) => (user && user !== person?.user ? [user] : []))
  if (users.length) return users
  const hr = await findUsersWithRoles(c.work.tx, c.clientId, [...HR_ROLES])
  return hr.map(({ userId }) => userId).filter((id) => id !== person?.user)
}

const notifyDeciders = eventHandler(leaveRequested, {
  name: 'leave.notify-deciders',
  queue: 'events',
  run: async (c, { request: id }) => {
    const request = await c.get(leaveRequest, id)
    if (request?.state !== 'requested') return
    const users = await findDeciders(c, request)
    await notifyUsers(
      c,
      toDecideNotification,
      users.map((to) => ({ to, about: id })),
    )
  },
})

const notifyRequester = eventHandler(leaveDecided, {
  name: 'leave.notify-requester',
  queue: 'events',
  run: async (c, { request: id }) => {
    const request = await c.get(leaveRequest, id)
    const person = request && (await c.get(employee, request.employee))
    if (person?.user) await notifyUsers(c, decidedNotification, [{ to: person.user, about: id }])
  },
})

export const requestHandlers = [notifyDeciders, notifyRequester]
export const requestNotifications = [toDecideNotification, decidedNotification]
