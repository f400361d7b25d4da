import { buildWebModuleWithDocumentTypes } from '#modules/documents/types/kind.web.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { withRecordPanels } from '#web/shell/manifest/panels.tsx'
import { checklists } from './checklists/screens.web.ts'
import { contractScreens } from './contracts/screens.web.ts'
import { hrDownloadsNav } from './downloads/hr-downloads.ts'
import { handbookInfo, managementHandbookInfo } from './handbooks/handbook-infos.ts'
import { leaveCalendar } from './leave-calendar/screens.web.ts'
import { leaveReport } from './leave-report/screens.web.ts'
import { FIRST_SIGN_IN_PATH, PEOPLE_PATHS, peopleNav } from './nav.ts'
import { rightToWork } from './right-to-work/screens.web.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from './rights.ts'

const ofEmployees = { pack: 'employees', under: PEOPLE_PATHS.list } as const

export const peopleWebModule = buildWebModuleWithDocumentTypes([
  {
    documentTypes: [
      { ...handbookInfo, load: () => import('./handbooks/handbook.web.ts') },
      { ...managementHandbookInfo, load: () => import('./handbooks/management-handbook.web.ts') },
    ],
    pages: [
      { ...pageFromNavigation(peopleNav.employees), load: () => import('./employees/list.web.tsx') },
      {
        ...pageFromNavigation(peopleNav.departments),
        path: `${PEOPLE_PATHS.departments}/:slug?`,
        recordsAt: '/api/employees/departments',
        load: () => import('./departments/view.web.tsx'),
      },
      { ...pageFromNavigation(peopleNav.overview), load: () => import('./overview/overview.web.tsx') },
      {
        ...pageFromNavigation(peopleNav.massUpdate),
        writes: true,
        load: () => import('./employees/mass-update.web.tsx'),
      },
      {
        ...pageFromNavigation(peopleNav.imports),
        writes: true,
        begins: peopleNav.imports.title,
        load: () => import('./imports/import.web.tsx'),
      },
      { ...pageFromNavigation(peopleNav.retired), load: () => import('./employees/retired.web.tsx') },
      {
        ...ofEmployees,
        path: `${PEOPLE_PATHS.view}/:slug?`,
        title: 'Employee',
        allow: EMPLOYEE_READER_ROLES,
        recordsAt: '/api/employees/records',
        load: withRecordPanels('EmployeeRecord', () => import('./employees/view.web.tsx')),
      },
      {
        ...ofEmployees,
        path: `${PEOPLE_PATHS.update}/:slug?`,
        title: 'Edit employee',
        allow: HR_ROLES,
        writes: true,
        recordsAt: '/api/employees/employees',
        load: () => import('./employees/update.web.tsx'),
      },
      {
        ...ofEmployees,
        path: PEOPLE_PATHS.add,
        title: 'Add employee',
        begins: 'New employee',
        allow: HR_ROLES,
        writes: true,
        load: () => import('./employees/add.web.tsx'),
      },
      {
        ...ofEmployees,
        path: PEOPLE_PATHS.matchNames,
        title: 'Match names',
        allow: HR_ROLES,
        writes: true,
        load: () => import('./name-matches/match-names.web.tsx'),
      },
      {
        ...ofEmployees,
        path: `${PEOPLE_PATHS.updateDepartment}/:slug?`,
        title: 'Edit department',
        allow: HR_ROLES,
        writes: true,
        load: () => import('./departments/update.web.tsx'),
      },
      {
        path: `${FIRST_SIGN_IN_PATH}/:token?`,
        title: 'First sign-in',
        layout: 'login',
        open: true,
        load: () => import('./logins/first-sign-in.web.tsx'),
      },
      { ...pageFromNavigation(hrDownloadsNav.downloads), load: () => import('./downloads/downloads.web.tsx') },
      { ...pageFromNavigation(hrDownloadsNav.retired), load: () => import('./downloads/retired.web.tsx') },
      { ...pageFromNavigation(peopleNav.advert), load: () => import('./employees/advert.web.tsx') },
      {
        ...ofEmployees,
        path: '/employee/beta',
        title: 'Employees',
        allow: EMPLOYEE_READER_ROLES,
        redirect: PEOPLE_PATHS.list,
      },
    ],
    help: () => import('./help.web.ts'),
    search: () => import('./search.web.ts'),
  },
  contractScreens,
  checklists,
  leaveCalendar,
  leaveReport,
  rightToWork,
])
