import { londonDate } from '#kernel/time.ts'
import { DOCUMENT_APPROVER_ROLES } from '#modules/documents/rights.ts'
import { sicknessAbsence } from '#modules/people/sickness/sickness.ts'
import { sicknessChanged } from '#modules/people/sickness/sickness-trigger.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { declareNotificationType, feature } from '#server/engine/module.ts'
import { incidentPerson } from '../people/incident-person.ts'
import { incidentReport } from '../reports/incident-report.ts'
import { incidentPath } from '../reports/paths.ts'
import { findSicknessAfterAccident, findUnenteredSickness } from '../riddor/recorded-sickness.ts'
import { findDeciders } from '../riddor/reminders.server.ts'

/** Notification: an injured employee's sickness may count towards RIDDOR. It names no person and no reason. */
const sicknessNotice = declareNotificationType({
  kind: 'incident.sickness',
  label: 'Sickness after an incident',
  for: DOCUMENT_APPROVER_ROLES,
  icon: 'alert',
  of: incidentReport,
  words: ({ number }) => `${number}: sickness was recorded after the incident. Please confirm the days of absence.`,
  path: ({ id }) => incidentPath(id),
  mail: true,
})

/**
 * Notifies the decision-makers that an injured employee's sickness differs from the absences on the incident. Nothing
 * on the incident changes until one of them confirms the days.
 */
const notifyOfSickness = eventHandler(sicknessChanged, {
  name: 'incident.notify-of-sickness',
  queue: 'events',
  run: async (c, { absence: id }) => {
    const absence = await c.get(sicknessAbsence, id)
    if (!absence || absence.retired) return
    const people = await c.find(incidentPerson, { employee: absence.employee, recordType: 'IP', retired: false })
    for (const person of people) {
      const report = person.report === null ? undefined : await c.get(incidentReport, person.report)
      if (!report?.datetime || report.retired || report.state === 'draft') continue
      const day = londonDate(Temporal.Instant.from(report.datetime)).toString()
      if (!findUnenteredSickness(person.absences, findSicknessAfterAccident([absence], day)).length) continue
      const deciders = await findDeciders(c)
      await notifyUsers(
        c,
        sicknessNotice,
        deciders.map(({ userId }) => ({ to: userId, about: report.id })),
      )
    }
  },
})

export const incidentSickness = feature({
  pack: 'safety',
  handlers: [notifyOfSickness],
  notifications: [sicknessNotice],
})
