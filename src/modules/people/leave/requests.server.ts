import { problem, type Violation, violation } from '#kernel/errors.ts'
import { hasRole } from '#kernel/roles.ts'
import { earlierDay, laterDay, londonDate } from '#kernel/time.ts'
import { isSamePerson } from '#modules/identity/people/accounts.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { employee } from '../employees/employee.ts'
import { dayViolations } from '../leave-rules/day-limits.ts'
import { partViolations, toRequestPart } from '../leave-rules/request-part.ts'
import { HR_ROLES } from '../rights.ts'
import { leaveDecided, leaveRequested } from './events.ts'
import { type EmployeeRow, readLeaveSettings, recountLeave } from './history.server.ts'
import { ANNUAL_LEAVE, type LeaveRequest, leaveKind, leaveRequest } from './leave-request.ts'
import { planLeave } from './plan.server.ts'

const requestBehaviour = behaviour(leaveRequest, {
  beforeSave: async (c) => {
    if (c.before) throw problem.conflict('A request that is sent is not changed. Withdraw it and send another one.')
    const { employee: of, kind: kindId } = c.values
    const wrong = partViolations(c.values.parts ?? [], londonDate(c.now).toString())
    if (wrong.length) throw problem.invalid(wrong)
    if (!of || !kindId) return undefined
    const parts = (c.values.parts ?? []).map(toRequestPart)
    const person = await c.lock(employee, of, 'values')
    const kind = await c.get(leaveKind, kindId)
    const deducted = kind?.code === ANNUAL_LEAVE
    const unfit = factViolations(c.values, { deducted, event: kind?.rule?.event, today: londonDate(c.now).toString() })
    if (unfit.length) throw problem.invalid(unfit)
    const plan = await planLeave(c, c.work.tx, { clientId: c.clientId, now: c.now, person, parts, deducted })
    if (plan.problem) throw problem.conflict(plan.problem)
    if (deducted && plan.blackouts.length && !hasRole(c.actor, HR_ROLES))
      throw problem.conflict(
        `No leave can be requested then: ${plan.blackouts.map(({ reason }) => reason).join(', ')}.`,
      )
    return {
      deducted,
      minutes: plan.minutes,
      firstDay: parts.reduce((day, one) => earlierDay(day, one.firstDay), parts[0]?.firstDay ?? ''),
      lastDay: parts.reduce((day, one) => laterDay(day, one.lastDay), ''),
      createdAt: c.now.toString(),
      parts: parts.map((part, position) => ({ ...part, position, employee: of })),
    }
  },
  afterSave: async (c) => {
    const saved = await c.written.saved()
    const person = await c.get(employee, saved.employee)
    if (person && saved.deducted) await recountLeave(c, [person])
    await c.emit(leaveRequested, { request: saved.id })
  },
  actions: {
    approve: async (c) => {
      await assertMayDecide(c, c.row)
      return decide(c, '')
    },
    decline: async (c) => {
      await assertMayDecide(c, c.row)
      await returnLeave(c, c.row)
      return decide(c, c.input.reason)
    },
    withdraw: async (c) => {
      await returnLeave(c, c.row)
      return {}
    },
    cancel: async (c) => {
      await assertMayCancel(c, c.row)
      await returnLeave(c, c.row)
      await c.emit(leaveDecided, { request: c.row.id })
      return { set: { decision: c.input.reason } }
    },
  },
})

interface LeaveFacts {
  readonly eventOn?: string | null | undefined
  readonly noticeOn?: string | null | undefined
  readonly details?: string | undefined
}

/** Returns the violations of facts that are stated with leave other than annual leave. */
function factViolations(
  { eventOn, noticeOn, details }: LeaveFacts,
  {
    deducted,
    event,
    today,
  }: { readonly deducted: boolean; readonly event: string | null | undefined; readonly today: string },
): Violation[] {
  if (deducted)
    return [
      ...(eventOn || noticeOn ? [violation(eventOn ? 'eventOn' : 'noticeOn', 'Annual leave has no such day')] : []),
      ...(details ? [violation('details', 'Please write about annual leave in the message to the approver')] : []),
    ]
  return [
    ...dayViolations({ eventOn, noticeOn }, today),
    ...(eventOn && !event ? [violation('eventOn', 'This kind of leave has no such day')] : []),
    ...(noticeOn && noticeOn > today ? [violation('noticeOn', 'This day is in the future')] : []),
  ]
}

type Acting = Context & { readonly row: LeaveRequest }

async function decide(c: Acting, decision: string) {
  await c.emit(leaveDecided, { request: c.row.id })
  return { set: { decision, decidedBy: c.actor.username, decidedAt: c.now.toString() } }
}

const isOwn = (c: Context, person: EmployeeRow | undefined): boolean => person?.user === c.actor.userId

/** Nobody decides on their own leave, or on a request that they sent for another person, except human resources. */
async function assertMayDecide(c: Context, { employee: of, author }: LeaveRequest): Promise<void> {
  if (isOwn(c, await c.get(employee, of))) throw problem.forbidden('Another person has to decide on your own leave.')
  if (!hasRole(c.actor, HR_ROLES) && (await isSamePerson(c, [author])))
    throw problem.forbidden('You sent this request. Another person has to decide on it.')
}

async function assertMayCancel(c: Context, { employee: of, firstDay }: LeaveRequest): Promise<void> {
  if (!isOwn(c, await c.get(employee, of))) return
  const { cancellation } = await readLeaveSettings(c, c.clientId)
  if (cancellation === 'approver') throw problem.forbidden('Please ask your approver to cancel approved leave.')
  if (firstDay <= londonDate(c.now).toString())
    throw problem.forbidden('This leave has started. Please ask your approver to cancel it.')
}

/** Returns the leave of a request that ends to the balance. */
async function returnLeave(c: Context, { id, employee: of, deducted }: LeaveRequest): Promise<void> {
  if (!deducted) return
  await recountLeave(c, [await c.lock(employee, of, 'values')], { ended: id })
}

export const requestBehaviours = [requestBehaviour]
