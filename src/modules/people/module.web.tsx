import { buildWebModule } from '#web/shell/manifest/module.ts'
import { leaveCalendar } from './leave-calendar/screens.web.ts'
import { leaveReport } from './leave-report/screens.web.ts'

export const peopleWebModule = buildWebModule([leaveCalendar, leaveReport])
