import { iriOf, type RowOf } from '#kernel/resource.ts'
import { composeEmail, defineEmail, formalEmailGreeting } from '#kernel/system-email.ts'
import { preventAutolinking } from '#kernel/text/break-links.ts'
import { formatUkDateTime } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import type { Context } from '#server/engine/types.ts'
import { trainingCourseTemplate } from '../courses/course.ts'
import { trainingBooking } from './booking.ts'
import type { trainingSession } from './session.ts'

type Session = RowOf<typeof trainingSession>
type Booking = RowOf<typeof trainingBooking>

interface SessionFacts {
  readonly person: string
  readonly course: string
  readonly session: Pick<Session, 'trainer' | 'startsAt' | 'endsAt' | 'online' | 'place' | 'joiningDetails'>
  /** Start in an earlier joining e-mail; null if there was none. */
  readonly earlier: string | null
}

interface CancelledFacts {
  readonly person: string
  readonly course: string
  readonly startsAt: string
  readonly reason: string
}

const say = preventAutolinking
const formatTime = (at: string) => formatUkDateTime(Temporal.Instant.from(at))

const SAMPLE = { person: 'Ann Carter', course: 'Manual handling' }

export const joiningEmail = defineEmail<SessionFacts>({
  name: 'training.joining',
  title: 'Joining e-mail of a training session',
  subject: ({ course, session, earlier }) =>
    `${earlier ? 'New time: ' : ''}${say(course)}, ${formatTime(session.startsAt)}`,
  paragraphs: ({ person, course, session: { trainer, startsAt, endsAt, online, place, joiningDetails }, earlier }) => [
    formalEmailGreeting(person),
    earlier
      ? `The training session “${say(course)}” has moved from ${formatTime(earlier)} to ${formatTime(startsAt)}.`
      : `You have a seat in the training session “${say(course)}”.`,
    `From ${formatTime(startsAt)} to ${formatTime(endsAt)}, with ${say(trainer)}.`,
    online ? 'The session is online.' : `Address: ${say(place)}`,
    joiningDetails,
  ],
  sample: {
    ...SAMPLE,
    session: {
      trainer: 'Sam Taylor',
      startsAt: '2026-03-16T09:00:00Z',
      endsAt: '2026-03-16T12:00:00Z',
      online: false,
      place: '14 Wharf Street, Leeds',
      joiningDetails: 'Please bring safety boots.',
    },
    earlier: null,
  },
})

export const cancelledSessionEmail = defineEmail<CancelledFacts>({
  name: 'training.session-cancelled',
  title: 'Training session cancelled',
  subject: ({ course, startsAt }) => `Cancelled: ${say(course)}, ${formatTime(startsAt)}`,
  paragraphs: ({ person, course, startsAt, reason }) => [
    formalEmailGreeting(person),
    `The training session “${say(course)}” on ${formatTime(startsAt)} is cancelled: ${say(reason)}`,
  ],
  sample: { ...SAMPLE, startsAt: '2026-03-16T09:00:00Z', reason: 'The trainer is ill.' },
})

/** Returns the name and e-mail address of a person: their own, or that of their account; empty if there is none. */
async function findAddress(c: Context, id: number): Promise<{ readonly name: string; readonly to: string }> {
  const person = await c.get(employee, id)
  const account = person?.user && !person.email ? await c.get(user, person.user) : undefined
  return { name: person?.name ?? '', to: person?.email || account?.email || '' }
}

const findCourseName = async (c: Context, session: Session): Promise<string> =>
  (await c.get(trainingCourseTemplate, session.course))?.name ?? ''

/** Requests the joining e-mail of a person with a seat. Returns false if the person has no e-mail address. */
export async function requestJoiningEmail(
  c: Context,
  { id, employee: of, announcedStartAt: earlier }: Pick<Booking, 'id' | 'employee' | 'announcedStartAt'>,
  session: Session,
): Promise<boolean> {
  const { name, to } = await findAddress(c, of)
  if (!to) return false
  const course = await findCourseName(c, session)
  await c.emit(emailRequested, {
    to,
    ...composeEmail(joiningEmail, { person: name, course, session, earlier }),
    about: iriOf(trainingBooking, id),
  })
  return true
}

/** Requests the e-mail that a session is cancelled, for a person who has an e-mail address. */
export async function requestCancelledEmail(
  c: Context,
  { id, employee: of }: Pick<Booking, 'id' | 'employee'>,
  session: Session,
): Promise<void> {
  const { name, to } = await findAddress(c, of)
  if (!to) return
  const { startsAt, reason } = session
  const course = await findCourseName(c, session)
  await c.emit(emailRequested, {
    to,
    ...composeEmail(cancelledSessionEmail, { person: name, course, startsAt, reason: reason ?? '' }),
    about: iriOf(trainingBooking, id),
  })
}
