import type { NavigationEntry } from '#kernel/packs.ts'
import { TASK_SITE_PATH } from '#kernel/roles.ts'

export const tasksNav = {
  mine: {
    path: TASK_SITE_PATH,
    title: 'My-Task',
    area: 'Home',
    icon: 'clipboard',
    order: 2,
    allow: ['ROLE_EMPLOYEE', 'ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_AUTHOR', 'ROLE_HR'],
  },
} as const satisfies Record<string, NavigationEntry>
