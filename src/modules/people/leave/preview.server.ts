import { problem, violation } from '#kernel/errors.ts'
import { date, link, typedJson } from '#kernel/fields.ts'
import { isPlainObject } from '#kernel/forms/rows.ts'
import { hasRole } from '#kernel/roles.ts'
import { isCalendarDate, londonDate, TIME_OF_DAY } from '#kernel/time.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { employee } from '../employees/employee.ts'
import { PORTIONS, partViolations, type RequestPart, toRequestPart } from '../leave-rules/request-part.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from '../rights.ts'
import { leaveAccount } from './leave-account.ts'
import { ANNUAL_LEAVE, leaveKind, leaveRequest } from './leave-request.ts'
import { planLeave } from './plan.server.ts'
import { noticeDay, readLeaveConditions } from './statutory.server.ts'

const isPart = (value: unknown): value is Partial<RequestPart> => {
  if (!isPlainObject(value)) return false
  const { firstDay, lastDay, portion = 'day', from, until } = value
  const areDays = [firstDay, lastDay].every(
    (day) => typeof day === 'string' && day.length === 10 && isCalendarDate(day),
  )
  const areTimes = [from, until].every(
    (time) => time === undefined || time === null || (typeof time === 'string' && TIME_OF_DAY.test(time)),
  )
  return areDays && areTimes && PORTIONS.some((one) => one.value === portion)
}

/** Shows what a request would do. It has the input of a request, and stores nothing. */
const previewRoute = routeWithInput(
  {
    employee: link(() => leaveAccount, { required: 'Please choose an employee' }),
    kind: link(() => leaveKind, { required: 'Please choose a kind of leave' }),
    eventOn: date(),
    noticeOn: date(),
    parts: typedJson<readonly Partial<RequestPart>[]>()({ required: 'Please enter the dates', max: 20 }),
  },
  {
    method: 'POST',
    path: `${leaveRequest.url}/preview`,
    title: 'Show the balance, absent colleagues and rules of a leave request before it is sent',
    allow: EMPLOYEE_READER_ROLES,
    whileImpersonating: true,
    handle: async ({ engine, me, now, input }) => {
      if (!Array.isArray(input.parts) || !input.parts.every(isPart))
        throw problem.invalid([violation('parts', 'Please enter first day, last day and portion of each part')])
      const wrong = partViolations(input.parts, londonDate(now).toString())
      if (wrong.length) throw problem.invalid(wrong)
      const parts = input.parts.map(toRequestPart)
      return engine.db.tx({ clientId: me.clientId }, (tx) =>
        engine.readIn(me.clientId, 'a request shows cover and absent colleagues', async (c) => {
          const [person, kind] = [await c.get(employee, input.employee), await c.get(leaveKind, input.kind)]
          if (!person) throw problem.notFound()
          const deducted = kind?.code === ANNUAL_LEAVE
          const plan = await planLeave(c, tx, { clientId: me.clientId, now, person, parts, deducted })
          const { eventOn = null } = input
          const noticeOn = noticeDay(hasRole(me, HR_ROLES) ? input.noticeOn : null, now)
          const conditions = await readLeaveConditions(c, person, { rule: kind?.rule, parts, eventOn, noticeOn })
          return { '@id': `${leaveRequest.url}/preview`, '@type': 'LeavePreview', ...plan, conditions }
        }),
      )
    },
  },
)

export const previewRoutes = [previewRoute]
