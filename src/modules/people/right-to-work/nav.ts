import type { NavigationEntry } from '#kernel/packs.ts'
import { HR_ROLES } from '../rights.ts'

export const RIGHT_TO_WORK_PATHS = {
  list: '/ffe/right-to-work',
  view: '/ffe/right-to-work/view',
} as const

/** Path of the right to work of an employee. */
export const rightToWorkPath = (employee: number | string): string => `${RIGHT_TO_WORK_PATHS.view}/${employee}`

export const rightToWorkNav = {
  list: {
    path: RIGHT_TO_WORK_PATHS.list,
    title: 'Right to work',
    icon: 'shield',
    order: 6,
    allow: HR_ROLES,
    area: 'People',
    pack: 'employees',
  },
} as const satisfies Record<string, NavigationEntry>
