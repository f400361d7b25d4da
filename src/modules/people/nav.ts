import type { NavigationEntry } from '#kernel/packs.ts'
import { hrDownloadsNav } from './downloads/hr-downloads.ts'
import { handbookInfo, managementHandbookInfo } from './handbooks/handbook-infos.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from './rights.ts'

/** Paths of the screens of employees, as the specification names them. */
export const PEOPLE_PATHS = {
  list: '/employee',
  view: '/employee/view',
  update: '/employee/update',
  add: '/employee/add',
  retired: '/employee/retired',
  overview: '/employee/overview',
  massUpdate: '/employee/mass-update',
  imports: '/employee/import',
  matchNames: '/employee/match-names',
  departments: '/employee/department/view',
  updateDepartment: '/employee/department/update',
} as const

/** Page of the first sign-in, with the token of a link. */
export const FIRST_SIGN_IN_PATH = '/first-sign-in'

export const employeePath = (id: number | string): string => `${PEOPLE_PATHS.view}/${id}`
export const departmentPath = (id: number | string): string => `${PEOPLE_PATHS.departments}/${id}`

const inPeople = { area: 'People', pack: 'employees', icon: 'users' } as const

export const peopleNav = {
  employees: { ...inPeople, path: PEOPLE_PATHS.list, title: 'Employees', order: 0, allow: EMPLOYEE_READER_ROLES },
  departments: {
    ...inPeople,
    path: PEOPLE_PATHS.departments,
    title: 'Departments',
    order: 1,
    tabOf: PEOPLE_PATHS.list,
    allow: EMPLOYEE_READER_ROLES,
  },
  overview: {
    ...inPeople,
    path: PEOPLE_PATHS.overview,
    title: 'Overview',
    order: 2,
    tabOf: PEOPLE_PATHS.list,
    allow: HR_ROLES,
  },
  retired: {
    ...inPeople,
    path: PEOPLE_PATHS.retired,
    title: 'Retired employees',
    order: 3,
    tabOf: PEOPLE_PATHS.list,
    allow: HR_ROLES,
  },
  massUpdate: {
    ...inPeople,
    path: PEOPLE_PATHS.massUpdate,
    title: 'Mass update',
    order: 4,
    tabOf: PEOPLE_PATHS.list,
    allow: HR_ROLES,
  },
  imports: {
    ...inPeople,
    path: PEOPLE_PATHS.imports,
    title: 'Import employees',
    order: 5,
    tabOf: PEOPLE_PATHS.list,
    allow: HR_ROLES,
  },
  handbook: handbookInfo.nav,
  managementHandbook: managementHandbookInfo.nav,
  hrDownloads: hrDownloadsNav.downloads,
  retiredDownloads: hrDownloadsNav.retired,
  advert: {
    ...inPeople,
    path: '/ffe/advert',
    title: 'Employees',
    icon: 'info',
    order: 9,
    allow: 'ROLE_CLIENT_ADMIN',
    advert: true,
  },
} as const satisfies Record<string, NavigationEntry>
