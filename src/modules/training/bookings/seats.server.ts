import { z } from 'zod'
import { problem, violation } from '#kernel/errors.ts'
import { defineEvent } from '#kernel/event.ts'
import type { RowOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { client } from '#modules/portal/clients/client.ts'
import { readAcrossClients, runInTenant } from '#server/engine/tenant.ts'
import type { Context } from '#server/engine/types.ts'
import { trainingCourse, trainingCourseTemplate } from '../courses/course.ts'
import { trainingPlan } from '../plan/plan.ts'
import type { trainingBooking } from './booking.ts'
import { trainingSession } from './session.ts'

export type Session = RowOf<typeof trainingSession>
type Booking = RowOf<typeof trainingBooking>

/** Event: a session was moved or cancelled, its seats changed, or a booking was cancelled. */
export const sessionChangedEvent = defineEvent({
  kind: 'training.session-changed',
  version: 1,
  payload: z.object({ session: z.int() }),
})

const sessionDay = ({ startsAt }: Pick<Session, 'startsAt'>): string =>
  londonDate(Temporal.Instant.from(startsAt)).toString()

/** Runs part of a transaction with the provider's rows, with a session locked until the transaction ends. */
export const lockSession = <T>(
  c: Context,
  id: number,
  inside: (provider: Context, session: Session) => Promise<T>,
): Promise<T> =>
  runInTenant(c, PROVIDER_CLIENT_ID, async (provider) =>
    inside(
      provider,
      await provider
        .withoutPermissionCheck('seats are counted under a lock of their session')
        .lock(trainingSession, id),
    ),
  )

/** Booking of any client that has a seat, or waits for one. */
export interface SeatBooking {
  readonly id: number
  readonly clientId: number
  readonly state: Booking['state']
}

/** Returns the bookings of all clients for a session, in the order of the queue, without cancelled ones. */
export const findSessionBookings = (c: Context, session: number): Promise<SeatBooking[]> =>
  readAcrossClients(c, (tx) =>
    tx.rows<SeatBooking>(
      `SELECT id::int, client_id AS "clientId", state FROM training_booking WHERE session_id = $1 AND state <> 'cancelled' ORDER BY id`,
      [session],
    ),
  )

/**
 * Returns the course of the company that a session counts as: its copy of the course of the session. Copies that course
 * if the company has none.
 */
export async function findOrCopyCourse(c: Context, session: Session): Promise<number> {
  const [own] = await c.find(trainingCourse, { template: session.course, retired: false })
  if (own) return own.id
  const template = await c.get(trainingCourseTemplate, session.course)
  const name = template?.name ?? ''
  if ((await c.find(trainingCourse, {})).some((one) => one.name.toLowerCase() === name.toLowerCase()))
    throw problem.invalid([
      violation('course', 'Your company has a course of this name. Please choose which course the session counts as'),
    ])
  const made = await c
    .withoutPermissionCheck('a booked course is copied from the catalogue')
    .create(trainingCourse, { template: session.course })
  return (await made.saved()).id
}

/** Enters a seat as booked in the company’s plan, which ends the reminders. Returns the ID of the planned training. */
export async function bookInPlan(
  c: Context,
  { employee, course, plan }: Pick<Booking, 'employee' | 'course'> & { readonly plan?: number | null },
  session: Session,
): Promise<number> {
  const day = sessionDay(session)
  const open = await c.find(trainingPlan, { employee, course, state: ['planned', 'booked'] })
  const own = open.find(({ id }) => id === plan)
  const chosen =
    open.find(({ plannedOn }) => plannedOn === day) ??
    own ??
    open.find((one) => one.state === 'planned' && one.plannedOn >= londonDate(c.now).toString())
  const provider = (await c.get(client, PROVIDER_CLIENT_ID))?.company ?? ''
  const values = {
    plannedOn: day,
    state: 'booked' as const,
    provider,
    ...(session.price === null ? {} : { cost: session.price }),
  }
  if (own && chosen && own.id !== chosen.id) await c.set(trainingPlan, own, { state: 'cancelled' }, 'move')
  if (chosen) {
    await c.set(trainingPlan, chosen, values, 'book')
    return chosen.id
  }
  const made = await c
    .withoutPermissionCheck('a booked seat is part of the plan')
    .create(trainingPlan, { employee, course, ...values })
  return (await made.saved()).id
}

/** Takes a seat out of the plan, so that reminders begin again. */
export async function cancelInPlan(c: Context, { plan }: Pick<Booking, 'plan'>): Promise<void> {
  const planned = plan === null ? undefined : await c.get(trainingPlan, plan)
  if (planned && planned.state !== 'cancelled') await c.set(trainingPlan, planned, { state: 'cancelled' }, 'cancel')
}
