import { buildModuleWithDocumentTypes, defineDocumentFeature } from '#modules/documents/types/kinds.server.ts'
import { checklists } from './checklists/checklist.server.ts'
import { contracts } from './contracts/feature.server.ts'
import { hrDownloads } from './downloads/downloads.server.ts'
import { employees } from './employees/employee.server.ts'
import { erasure } from './erasure/erasure.server.ts'
import { handbook, managementHandbook } from './handbooks/handbook.ts'
import { employeeImports } from './imports/import.server.ts'
import { jobs } from './jobs/employee-job.server.ts'
import { leave } from './leave/feature.server.ts'
import { leaveCalendar } from './leave-calendar/calendar.server.ts'
import { leaveMassUpdate } from './leave-mass-update/mass-update.server.ts'
import { leaveReport } from './leave-report/report.server.ts'
import { logins } from './logins/feature.server.ts'
import { nameMatches } from './name-matches/name-match.server.ts'
import { peopleNav } from './nav.ts'
import { overview } from './overview/overview.server.ts'
import { rightToWork } from './right-to-work/right-to-work.server.ts'
import { setup } from './setup/setup-ffe.server.ts'
import { sickness } from './sickness/sickness.server.ts'

export const peopleModule = buildModuleWithDocumentTypes('people', [
  { navigation: peopleNav },
  contracts,
  checklists,
  employees,
  employeeImports,
  erasure,
  defineDocumentFeature({
    pack: 'employees',
    kinds: [handbook, managementHandbook],
    seeds: () => import('./handbooks/demo.server.ts'),
  }),
  hrDownloads,
  jobs,
  leave,
  leaveCalendar,
  leaveMassUpdate,
  leaveReport,
  logins,
  nameMatches,
  overview,
  rightToWork,
  setup,
  sickness,
])
