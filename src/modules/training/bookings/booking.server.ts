import { problem, violation } from '#kernel/errors.ts'
import { iriOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { client } from '#modules/portal/clients/client.ts'
import { consumeRecipientAllowance } from '#modules/portal/mail/claim.server.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { findUsersWithRoles } from '#server/auth/accounts.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { trainingCourse } from '../courses/course.ts'
import { trainingRecord } from '../records/record.ts'
import { SESSION_HOLDER_ROLES } from '../rights.ts'
import { type ATTENDANCE, trainingBooking } from './booking.ts'
import { requestJoiningEmail } from './emails.server.ts'
import { fullSessionNotice } from './notices.server.ts'
import {
  bookInPlan,
  cancelInPlan,
  findOrCopyCourse,
  findSessionBookings,
  lockSession,
  type Session,
  sessionChangedEvent,
} from './seats.server.ts'
import { trainingSession } from './session.ts'

type Attendance = (typeof ATTENDANCE)[number]['value']

const hasStarted = (c: Context, { startsAt }: Pick<Session, 'startsAt'>): boolean =>
  Temporal.Instant.compare(Temporal.Instant.from(startsAt), c.now) <= 0

/** Takes a free seat under a lock of the session. Returns false if there is none, or if others wait already. */
const takeSeat = (c: Context, id: number): Promise<{ readonly session: Session; readonly hasSeat: boolean }> =>
  lockSession(c, id, async (provider, session) => {
    if (session.state !== 'open') throw problem.conflict('This session is cancelled.')
    if (hasStarted(c, session)) throw problem.conflict('This session has started already.')
    const { seats, seatsTaken } = session
    const hasQueue = (await findSessionBookings(provider, id)).some(({ state }) => state === 'waiting')
    if (hasQueue || seatsTaken >= seats) return { session, hasSeat: false }
    await provider.set(trainingSession, session, { seatsTaken: seatsTaken + 1 }, 'book')
    if (seatsTaken + 1 === seats) {
      const holders = await findUsersWithRoles(provider.work.tx, PROVIDER_CLIENT_ID, SESSION_HOLDER_ROLES)
      await notifyUsers(
        provider,
        fullSessionNotice,
        holders.map(({ userId: to }) => ({ to, about: id })),
      )
    }
    return { session, hasSeat: true }
  })

/** Returns the course that the company chose, or its copy of the course of the session. Throws 422 for a retired one. */
async function chooseCourse(c: Context, chosen: number | null | undefined, session: Session): Promise<number> {
  if (!chosen) return findOrCopyCourse(c, session)
  const course = await c.get(trainingCourse, chosen)
  if (!course) throw problem.unknownTarget(iriOf(trainingCourse, chosen))
  if (course.retired) throw problem.invalid([violation('course', 'This course is retired')])
  return chosen
}

/** Adds the training record of an attendance, or corrects the record of an earlier one. Returns its ID. */
async function recordAttendance(
  c: Context,
  booking: {
    readonly employee: number
    readonly course: number
    readonly record: number | null
  },
  session: Session,
  input: { readonly attendance: Attendance; readonly externalNumber: string; readonly reason: string },
): Promise<number | null> {
  const { attendance, externalNumber, reason } = input
  const { employee: of, course, record: replaces } = booking
  if (attendance === 'absent' && replaces === null) return null
  const made = await c
    .withoutPermissionCheck('the provider records the attendance of its session')
    .create(trainingRecord, {
      employee: of,
      course,
      completedOn: londonDate(Temporal.Instant.from(session.startsAt)).toString(),
      result: attendance === 'absent' ? 'void' : attendance,
      provider: (await c.get(client, PROVIDER_CLIENT_ID))?.company ?? '',
      externalNumber,
      ...(replaces === null ? {} : { replaces, reason }),
    })
  return (await made.saved()).id
}

export const bookingBehaviour = behaviour(trainingBooking, {
  beforeSave: async (c) => {
    const { employee: of, session: id, course: chosen } = c.values
    if (!of || !id) return undefined
    const { session, hasSeat } = await takeSeat(c, id)
    const person = await c.lock(employee, of, 'values')
    if (person.retired) throw problem.invalid([violation('employee', 'This person has left')])
    if (
      await c.exists(trainingBooking, { session: id, employee: of, state: ['waiting', 'booked', 'tookPart', 'absent'] })
    )
      throw problem.invalid([violation('employee', 'This person is booked for the session already', 'duplicate')])
    const course = await chooseCourse(c, chosen, session)
    const plan = hasSeat ? await bookInPlan(c, { employee: of, course }, session) : null
    return { course, plan, state: hasSeat ? ('booked' as const) : ('waiting' as const), createdAt: c.now.toString() }
  },
  afterSave: async (c) => {
    const row = await c.written.saved()
    if (c.before || row.state !== 'booked') return
    const session = await c.get(trainingSession, row.session)
    if (!session || !(await requestJoiningEmail(c, row, session))) return
    await consumeRecipientAllowance(c, 1)
    await c.set(
      trainingBooking,
      row,
      { joiningRequestedAt: c.now.toString(), announcedStartAt: session.startsAt },
      'announce',
    )
  },
  actions: {
    cancel: async (c) => {
      const session = await c.get(trainingSession, c.row.session)
      if (session && hasStarted(c, session))
        throw problem.conflict('This session has started. The provider records who took part.')
      await cancelInPlan(c, c.row)
      await c.emit(sessionChangedEvent, { session: c.row.session })
      return { set: { state: 'cancelled' as const } }
    },
    recordAttendance: async (c) => {
      const { row, input } = c
      const session = await c.get(trainingSession, row.session)
      if (session?.state !== 'open') throw problem.conflict('This session is cancelled.')
      if (!hasStarted(c, session))
        throw problem.conflict('This session has not started yet. Attendance is recorded once it has.')
      if (row.state !== 'booked' && !input.reason)
        throw problem.invalid([violation('reason', 'Please enter the reason for the correction', 'required')])
      const record = await recordAttendance(c, row, session, input)
      if (input.attendance === 'absent') await cancelInPlan(c, row)
      return {
        set: {
          state: input.attendance === 'absent' ? ('absent' as const) : ('tookPart' as const),
          record: record ?? row.record,
          reason: input.reason,
        },
      }
    },
  },
})
