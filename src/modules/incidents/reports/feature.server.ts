import { retireActionsWith } from '#modules/actions/raise.server.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { declareNotificationType, feature } from '#server/engine/module.ts'
import { incidentPerson } from '../people/incident-person.ts'
import { INCIDENT_BOOK_ROLES } from '../rights.ts'
import { incidentDepartment } from '../settings/incident-department.ts'
import { findReportRecipients } from '../settings/settings.server.ts'
import { incidentEvidence } from './evidence.ts'
import { incidentFileRoutes } from './files.server.ts'
import { incidentFile } from './incident-file.ts'
import {
  incidentAmendment,
  incidentEvent,
  incidentOccurrence,
  incidentReport,
  incidentRiskLink,
} from './incident-report.ts'
import { incidentModelRoutes } from './models.server.ts'
import { incidentPath } from './paths.ts'
import { incidentBehaviours } from './report.server.ts'
import { incidentReported } from './reported.ts'
import { similarReportsRoute } from './similar.server.ts'

/** Notification: an incident was reported and waits for its first look. It names no person and no injury. */
const incidentReportedNotice = declareNotificationType({
  kind: 'incident.reported',
  label: 'Reported incidents',
  for: INCIDENT_BOOK_ROLES,
  icon: 'alert',
  of: incidentReport,
  words: ({ number, nearMiss }) => `${nearMiss ? 'Near miss' : 'Incident'} ${number} was reported`,
  path: ({ id }) => incidentPath(id),
  waits: 'Incidents',
  todo: 'to look at',
  mail: true,
})

const notifyOffice = eventHandler(incidentReported, {
  name: 'incident.notify-office',
  queue: 'events',
  run: async (c, { report }) => {
    const row = await c.get(incidentReport, report)
    const people = row ? await findReportRecipients(c, row) : []
    await notifyUsers(
      c,
      incidentReportedNotice,
      people.map((to) => ({ to, about: report })),
    )
  },
})

export const incidentReports = feature({
  pack: 'safety',
  resources: [
    incidentDepartment,
    incidentReport,
    incidentPerson,
    incidentRiskLink,
    incidentOccurrence,
    incidentEvent,
    incidentAmendment,
    incidentFile,
  ],
  behaviours: incidentBehaviours,
  routes: [...incidentModelRoutes, similarReportsRoute, ...incidentFileRoutes],
  guards: [retireActionsWith(incidentReport)],
  handlers: [notifyOffice],
  notifications: [incidentReportedNotice],
  evidence: [incidentEvidence],
})
