import { formatIsoDateAsUk, LONDON_TIME_ZONE, londonDate } from '#kernel/time.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { findUsersWithRoles } from '#server/auth/accounts.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import { schedule } from '#server/engine/schedule.ts'
import { trainingNav } from '../nav.ts'
import { trainingRecord } from '../records/record.ts'
import { TRAINING_READER_ROLES } from '../rights.ts'

/** Days before an expiry on which people are reminded; 0 for the last day of validity. */
const DAYS_BEFORE = [90, 60, 30, 0]
/** Most days after an expiry on which a reminder is still sent. Older expiries are gaps of the matrix. */
const MAX_DAYS_LATE = 30

export const expiryNotice = declareNotificationType({
  kind: 'training.expires',
  label: 'Training that expires',
  for: TRAINING_READER_ROLES,
  icon: trainingNav.matrix.icon,
  of: trainingRecord,
  words: ({ employee, course, validUntil }) =>
    `${course.name} of ${employee.name} is valid until ${formatIsoDateAsUk(validUntil ?? '')}`,
  path: () => trainingNav.matrix.path,
  waits: 'People',
  todo: 'to renew',
  mail: true,
})

interface Expiring {
  readonly id: number
  readonly validUntil: string
  /** Accounts of the person and of their manager. */
  readonly person: number | null
  readonly manager: number | null
}

const EXPIRING = `
  SELECT t.id::int, t.valid_until::text AS "validUntil", e.user_id::int AS person, m.user_id::int AS manager
  FROM training_record t JOIN employee e ON e.client_id = $1 AND e.id = t.employee_id
  LEFT JOIN employee m ON m.client_id = $1 AND m.id = e.manager_id AND NOT m.retired
  WHERE t.client_id = $1 AND t.valid_until BETWEEN $2::date AND $3::date AND training_to_renew($1, t.id)`

/** Returns the time of the latest reminder that is due: the beginning of a day that is 90, 60, 30 or 0 days before. */
function latestReminder(validUntil: string, today: Temporal.PlainDate): string {
  const last = Temporal.PlainDate.from(validUntil)
  const left = today.until(last).days
  const days = DAYS_BEFORE.filter((before) => before >= left).at(-1) ?? 0
  return last.subtract({ days }).toZonedDateTime(LONDON_TIME_ZONE).toInstant().toString()
}

/**
 * Reminds the person, and the people with the training role, or else the manager. A notification becomes unread again
 * with the next reminder, and the daily e-mail of notifications contains all reminders of a day.
 */
export const expiryReminder = schedule({
  name: 'training.expires',
  every: { daily: '07:00' },
  perClient: async (c) => {
    const today = londonDate(c.now)
    const [from, until] = [today.subtract({ days: MAX_DAYS_LATE }), today.add({ days: Math.max(...DAYS_BEFORE) })]
    const expiring = await c.work.tx.rows<Expiring>(EXPIRING, [c.clientId, from.toString(), until.toString()])
    if (!expiring.length) return
    const trainers = (await findUsersWithRoles(c.work.tx, c.clientId, ['ROLE_TRAINING'])).map(({ userId }) => userId)
    const targets = expiring.flatMap(({ id, validUntil, person, manager }) =>
      [person, ...(trainers.length ? trainers : [manager])].flatMap((to) =>
        to === null ? [] : { to, about: id, since: latestReminder(validUntil, today) },
      ),
    )
    await notifyUsers(c, expiryNotice, targets)
  },
})
