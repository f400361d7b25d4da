import type { NavigationEntry } from '#kernel/packs.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from '../rights.ts'

export const CHECKLIST_PATHS = {
  list: '/ffe/checklists',
  view: '/ffe/checklists/view',
  templates: '/ffe/checklists/templates',
  addStarter: '/ffe/employee/add',
} as const

/** Address that adds an employee with a starter checklist. */
export const STARTERS_URL = '/api/employees/starters'

export const checklistPath = (id: number | string): string => `${CHECKLIST_PATHS.view}/${id}`

const inPeople = { area: 'People', pack: 'employees', icon: 'checklist' } as const

export const checklistNav = {
  list: { ...inPeople, path: CHECKLIST_PATHS.list, title: 'Checklists', order: 7, allow: EMPLOYEE_READER_ROLES },
  templates: {
    ...inPeople,
    path: CHECKLIST_PATHS.templates,
    title: 'Checklist templates',
    order: 8,
    tabOf: CHECKLIST_PATHS.list,
    allow: HR_ROLES,
  },
} as const satisfies Record<string, NavigationEntry>
