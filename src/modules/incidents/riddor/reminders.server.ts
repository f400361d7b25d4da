import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'
import { iriOf } from '#kernel/resource.ts'
import { composeEmail, defineEmail, emailGreeting } from '#kernel/system-email.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { DOCUMENT_APPROVER_ROLES } from '#modules/documents/rights.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { findUsersWithRoles } from '#server/auth/accounts.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { type DateReminder, reminderSchedule, remindRow } from '#server/jobs/remind.ts'
import { OPEN_INCIDENT_STATES } from '../incident-facts.ts'
import { incidentReport } from '../reports/incident-report.ts'
import { incidentPath } from '../reports/paths.ts'
import { INCIDENT_READER_ROLE } from '../rights.ts'
import { INCAPACITY_REPORT_DAYS, listReminderDays } from './clocks.ts'
import { countDaysLeft } from './proposal.ts'

/**
 * Event: the clock for a report under RIDDOR has started, or its last day has changed. `reopened`: a decision was
 * reopened, so that people are reminded again.
 */
export const riddorClockStarted = defineEvent({
  kind: 'incident.riddor-clock-started',
  version: 1,
  payload: z.object({ report: z.int(), reopened: z.boolean() }),
})

/** Notification: the clock for a report is running. It names no person and no injury. */
export const riddorNotice = declareNotificationType({
  kind: 'incident.riddor',
  label: 'Reports to HSE under RIDDOR',
  for: DOCUMENT_APPROVER_ROLES,
  icon: 'alert',
  of: incidentReport,
  words: ({ number, reportBy }) => `RIDDOR: ${number}${reportBy ? `, report by ${formatIsoDateAsUk(reportBy)}` : ''}`,
  path: ({ id }) => incidentPath(id),
  waits: 'Documents',
  todo: 'to report to HSE',
  mail: false,
})

interface ReminderFacts {
  readonly number: string
  readonly reportBy: string
  readonly isDecided: boolean
  readonly daysLeft: number
  readonly recipient: string
}

export const riddorEmail = defineEmail<ReminderFacts>({
  name: 'incident.riddor',
  title: 'Reminder of a report to HSE under RIDDOR',
  subject: ({ number, reportBy, daysLeft }) =>
    daysLeft < 0
      ? `Late: report of incident ${number} under RIDDOR was due on ${formatIsoDateAsUk(reportBy)}`
      : `Incident ${number}: report under RIDDOR by ${formatIsoDateAsUk(reportBy)}`,
  paragraphs: ({ number, reportBy, isDecided, daysLeft, recipient }) => [
    emailGreeting(recipient),
    isDecided
      ? `Incident ${number} must be reported under RIDDOR. The report has not been recorded.`
      : `By the facts entered so far, incident ${number} must be reported under RIDDOR. Nobody has decided yet.`,
    daysLeft < 0
      ? `The last day for the report was ${formatIsoDateAsUk(reportBy)}. Please report it now.`
      : `The last day for the report is ${formatIsoDateAsUk(reportBy)}. Some incidents must be notified without delay: the incident states which.`,
    'Please open the incident in the portal, decide, and enter the reference that you receive. Entering it ends these reminders.',
  ],
  sample: { number: 'INC-2026-0012', reportBy: '2026-03-20', isDecided: true, daysLeft: 2, recipient: 'Ann Carter' },
})

/**
 * Reminds the decision-makers when a clock starts, after half of its time, two days before the deadline, on the day,
 * and weekly while the report is late.
 */
const riddorReminder: DateReminder<typeof incidentReport> = {
  name: 'incident.riddor',
  of: incidentReport,
  on: 'reportBy',
  daily: '06:30',
  daysBefore: {
    most: INCAPACITY_REPORT_DAYS,
    of: async ({ now }, { clockStartedOn, reportBy }) =>
      clockStartedOn && reportBy
        ? listReminderDays(clockStartedOn, reportBy, londonDate(now).toString()).map((day) =>
            countDaysLeft(reportBy, day),
          )
        : [],
  },
  where: { state: [...OPEN_INCIDENT_STATES], retired: false, hseSentOn: null },
  send: async (c, { id, number, riddorDecision }, { day }) => {
    const people = await findDeciders(c)
    await notifyUsers(
      c,
      riddorNotice,
      people.map(({ userId }) => ({ to: userId, about: id })),
    )
    const left = countDaysLeft(day.toString(), londonDate(c.now).toString())
    const facts = { number, reportBy: day.toString(), isDecided: riddorDecision === 'reportable', daysLeft: left }
    for (const { email, name } of people)
      if (email)
        await c.emit(emailRequested, {
          to: email,
          ...composeEmail(riddorEmail, { ...facts, recipient: name }),
          about: iriOf(incidentReport, id),
        })
  },
}

/** Returns the people who may decide. If none of the approvers reads health details, returns all approvers. */
export async function findDeciders(c: Context) {
  const approvers = await findUsersWithRoles(c.work.tx, c.clientId, [...DOCUMENT_APPROVER_ROLES])
  const readers = await findUsersWithRoles(c.work.tx, c.clientId, [INCIDENT_READER_ROLE])
  const deciders = approvers.filter(({ userId }) => readers.some((reader) => reader.userId === userId))
  return deciders.length ? deciders : approvers
}

export const riddorReminderSchedule = reminderSchedule(riddorReminder)

/** Sends the first reminder at once. */
export const remindAtOnce = eventHandler(riddorClockStarted, {
  name: 'incident.remind-of-riddor',
  queue: 'events',
  run: async (c, { report, reopened }) => {
    const [row] = await c.lockAll(incidentReport, { ...riddorReminder.where, id: report })
    if (!row?.reportBy) return
    const isSent = await remindRow(riddorReminder, c, row, londonDate(c.now))
    if (!isSent && reopened)
      await riddorReminder.send(c, row, { day: Temporal.PlainDate.from(row.reportBy), late: false })
  },
})
