import type { NavigationEntry } from '#kernel/packs.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from '../rights.ts'

export const LEAVE_PATHS = {
  root: '/ffh',
  calendar: '/ffh/calendar',
  request: '/ffh/calendar/event/new',
  report: '/ffh/report',
  settings: '/ffh/settings',
  massUpdate: '/ffh/mass-update',
  advert: '/ffh/advert',
} as const

/** Path of the calendar with a request opened. */
export const leaveRequestPath = (id: number): string => `${LEAVE_PATHS.calendar}?request=${id}`

export const leaveNav = {
  calendar: {
    path: LEAVE_PATHS.calendar,
    title: 'Leave',
    icon: 'calendar',
    order: 10,
    allow: EMPLOYEE_READER_ROLES,
    area: 'People',
    pack: 'holidays',
  },
  report: {
    path: LEAVE_PATHS.report,
    title: 'Leave report',
    icon: 'chart',
    order: 11,
    tabOf: LEAVE_PATHS.calendar,
    allow: EMPLOYEE_READER_ROLES,
    area: 'People',
    pack: 'holidays',
  },
  massUpdate: {
    path: LEAVE_PATHS.massUpdate,
    title: 'Update many employees',
    icon: 'users',
    order: 12,
    tabOf: LEAVE_PATHS.calendar,
    allow: HR_ROLES,
    area: 'People',
    pack: 'holidays',
  },
  settings: {
    path: LEAVE_PATHS.settings,
    title: 'Leave settings',
    icon: 'settings',
    order: 13,
    tabOf: LEAVE_PATHS.calendar,
    allow: HR_ROLES,
    area: 'People',
    pack: 'holidays',
  },
  advert: {
    path: LEAVE_PATHS.advert,
    title: 'Leave',
    icon: 'info',
    order: 19,
    allow: 'ROLE_CLIENT_ADMIN',
    area: 'People',
    pack: 'holidays',
    advert: true,
  },
} as const satisfies Record<string, NavigationEntry>
