import { problem, type Violation, violation } from '#kernel/errors.ts'
import { iriOf, type ValuesOf } from '#kernel/resource.ts'
import { formatUkDateTime } from '#kernel/time.ts'
import { customer } from '#modules/billing/customers/customer.ts'
import { quote } from '#modules/billing/quotes/quote.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { findUsersWithRoles } from '#server/auth/accounts.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { feature } from '#server/engine/module.ts'
import { runInTenant } from '#server/engine/tenant.ts'
import type { Context } from '#server/engine/types.ts'
import { trainingCourseTemplate } from '../courses/course.ts'
import { TRAINING_ROLES } from '../rights.ts'
import { bookingBehaviour } from './booking.server.ts'
import { trainingBooking } from './booking.ts'
import { cancelledSessionEmail, joiningEmail, requestCancelledEmail, requestJoiningEmail } from './emails.server.ts'
import { bookingNotice, fullSessionNotice } from './notices.server.ts'
import {
  bookInPlan,
  cancelInPlan,
  findSessionBookings,
  lockSession,
  type SeatBooking,
  type Session,
  sessionChangedEvent,
} from './seats.server.ts'
import { trainingSession } from './session.ts'

/** Returns the violations of a session: it starts in the future, ends after its start, and has a place or is online. */
function sessionViolations(values: ValuesOf<typeof trainingSession>, taken: number, earliest?: string): Violation[] {
  const { startsAt = '', endsAt = '', online, place, seats = 0 } = values
  const isAfter = (a: string, b: string) =>
    Temporal.Instant.compare(Temporal.Instant.from(a), Temporal.Instant.from(b)) > 0
  return [
    ...(earliest && !isAfter(startsAt, earliest) ? [violation('startsAt', 'The start is in the past')] : []),
    ...(isAfter(endsAt, startsAt) ? [] : [violation('endsAt', 'The end is not after the start')]),
    ...(online || place ? [] : [violation('place', 'Please enter the address', 'required')]),
    ...(seats < taken ? [violation('seats', `${taken} seats are taken already`)] : []),
  ]
}

const sessionBehaviour = behaviour(trainingSession, {
  beforeSave: async (c) => {
    const { before, changes, values } = c
    if (before?.state === 'cancelled') throw problem.conflict('This session is cancelled. Please add another one.')
    if (before && changes.course !== undefined && changes.course !== before.course)
      throw problem.conflict('The course of a session does not change. Cancel it and add another one.')
    const course = values.course ? await c.get(trainingCourseTemplate, values.course) : undefined
    if (!before && course?.retired) throw problem.invalid([violation('course', 'This course is retired')])
    const isMoved = !before || changes.startsAt !== undefined
    const wrong =
      !values.startsAt || !values.endsAt
        ? []
        : sessionViolations(values, before?.seatsTaken ?? 0, isMoved ? c.now.toString() : undefined)
    if (wrong.length) throw problem.invalid(wrong)
    return before ? undefined : { createdAt: c.now.toString() }
  },
  afterSave: async (c) => {
    if (c.before) await c.emit(sessionChangedEvent, { session: c.before.id })
  },
  actions: {
    cancel: async (c) => {
      if (Temporal.Instant.compare(Temporal.Instant.from(c.row.startsAt), c.now) <= 0)
        throw problem.conflict('This session has started, so it can’t be cancelled.')
      await c.emit(sessionChangedEvent, { session: c.row.id })
      return { set: { state: 'cancelled' as const, reason: c.input.reason } }
    },
    quote: async (c) => ({ answer: await createDraftQuote(c, c.row, c.input.client) }),
  },
})

/** Creates a draft quote for the seats of a client, which staff check and send like any other. */
async function createDraftQuote(c: Context, session: Session, clientId: number) {
  if (session.price === null) throw problem.conflict('This session has no price. Please enter its price first.')
  const own = (await findSessionBookings(c, session.id)).filter((one) => one.clientId === clientId)
  const quantity = own.filter(({ state }) => state === 'booked').length
  if (!quantity) throw problem.conflict('This client has no seats in the session.')
  const [buyer] = await c.find(customer, { client: clientId, retired: false })
  if (!buyer) throw problem.conflict('This client is not a customer yet. Please add the customer first.')
  const course = await c.get(trainingCourseTemplate, session.course)
  const start = formatUkDateTime(Temporal.Instant.from(session.startsAt))
  const line = { description: `${course?.name}, ${start}`, quantity, unitAmount: session.price }
  const made = await c.create(quote, { customer: buyer.id, additionalItems: [line] })
  const { id } = await made.saved()
  return () => ({ '@id': iriOf(quote, id), '@type': quote.type, id })
}

/** Gives a seat to a booking, or announces the new time of its session. */
async function announceSeat(c: Context, id: number, session: Session): Promise<void> {
  const row = await c.lock(trainingBooking, id)
  const isNew = row.state === 'waiting'
  if (!isNew && (row.state !== 'booked' || row.announcedStartAt === session.startsAt)) return
  const plan = await bookInPlan(c, row, session)
  const isRequested = await requestJoiningEmail(c, row, session)
  const announced = isRequested ? { joiningRequestedAt: c.now.toString(), announcedStartAt: session.startsAt } : {}
  await c.set(trainingBooking, row, { plan, state: 'booked', ...announced }, isNew ? 'book' : 'announce')
  if (isNew) await notifyTrainers(c, id)
}

async function cancelSeat(c: Context, id: number, session: Session): Promise<void> {
  const row = await c.lock(trainingBooking, id)
  if (row.state !== 'waiting' && row.state !== 'booked') return
  await cancelInPlan(c, row)
  await c.set(trainingBooking, row, { state: 'cancelled', reason: session.reason ?? '' }, 'cancel')
  await requestCancelledEmail(c, row, session)
  await notifyTrainers(c, id)
}

async function notifyTrainers(c: Context, about: number): Promise<void> {
  const trainers = await findUsersWithRoles(c.work.tx, c.clientId, TRAINING_ROLES)
  await notifyUsers(
    c,
    bookingNotice,
    trainers.map(({ userId: to }) => ({ to, about })),
  )
}

/**
 * Brings the bookings of a session into line with it: they are cancelled with it or announced again with a new time, and
 * free seats go to the waiting list in its order.
 */
function followSession(c: Context, { session: id }: { readonly session: number }): Promise<void> {
  return lockSession(c, id, async (provider, session) => {
    const isCancelled = session.state === 'cancelled'
    const bookings = await findSessionBookings(provider, id)
    const seated = bookings.filter(({ state }) => state !== 'waiting')
    const hasStarted = Temporal.Instant.compare(Temporal.Instant.from(session.startsAt), c.now) <= 0
    const free = hasStarted ? 0 : session.seats - seated.length
    const next = bookings.filter(({ state }) => state === 'waiting').slice(0, Math.max(free, 0))
    const follow = isCancelled ? cancelSeat : announceSeat
    const each = (one: SeatBooking) => runInTenant(provider, one.clientId, (own) => follow(own, one.id, session))
    for (const one of isCancelled ? bookings : [...seated, ...next]) await each(one)
    const seatsTaken = isCancelled
      ? seated.filter(({ state }) => state !== 'booked').length
      : seated.length + next.length
    if (seatsTaken !== session.seatsTaken) await provider.set(trainingSession, session, { seatsTaken }, 'count')
  })
}

export const bookings = feature({
  pack: 'safety',
  resources: [trainingSession, trainingBooking],
  behaviours: [sessionBehaviour, bookingBehaviour],
  handlers: [
    eventHandler(sessionChangedEvent, { name: 'training.follow-session', queue: 'events', run: followSession }),
  ],
  notifications: [fullSessionNotice, bookingNotice],
  emails: [joiningEmail, cancelledSessionEmail],
  seeds: () => import('./demo.server.ts'),
})
