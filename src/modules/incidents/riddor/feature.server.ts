import { feature } from '#server/engine/module.ts'
import { hseReport, riddorDecision } from '../reports/riddor-decision.ts'
import { remindAtOnce, riddorEmail, riddorNotice, riddorReminderSchedule } from './reminders.server.ts'
import { riddorRoutes } from './routes.server.ts'
import { absenceSchedule } from './screening.server.ts'

export const incidentRiddor = feature({
  pack: 'safety',
  resources: [riddorDecision, hseReport],
  routes: riddorRoutes,
  handlers: [remindAtOnce],
  schedules: [absenceSchedule, riddorReminderSchedule],
  notifications: [riddorNotice],
  emails: [riddorEmail],
})
