import { formatUkDateTime } from '#kernel/time.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import { trainingNav } from '../nav.ts'
import { SESSION_HOLDER_ROLES, TRAINING_ROLES } from '../rights.ts'
import { trainingBooking } from './booking.ts'
import { trainingSession } from './session.ts'

const formatTime = (at: string) => formatUkDateTime(Temporal.Instant.from(at))

/** Notification type: the last seat of a session is taken. */
export const fullSessionNotice = declareNotificationType({
  kind: 'training.session-full',
  label: 'Training sessions that are full',
  for: SESSION_HOLDER_ROLES,
  icon: trainingNav.sessions.icon,
  of: trainingSession,
  words: ({ course, startsAt }) => `${course.name} on ${formatTime(startsAt)} is full`,
  path: () => trainingNav.providerSessions.path,
  mail: true,
})

/** Notification type: a person on the waiting list got a seat, or a session was cancelled. */
export const bookingNotice = declareNotificationType({
  kind: 'training.booking',
  label: 'Seats in training sessions that changed',
  for: TRAINING_ROLES,
  icon: trainingNav.sessions.icon,
  of: trainingBooking,
  words: ({ employee, course, session, state }) =>
    state === 'cancelled'
      ? `${course.name} on ${formatTime(session.startsAt)} is cancelled: ${employee.name} has no seat`
      : `${employee.name} has a seat: ${course.name} on ${formatTime(session.startsAt)}`,
  path: () => trainingNav.sessions.path,
  mail: true,
})
