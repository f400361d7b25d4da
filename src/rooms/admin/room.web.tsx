import type { Page } from '#web/shell/page.ts'

const ADMINS = ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'] as const

export const pages: readonly Page[] = [
  {
    path: '/config/users',
    title: 'Users',
    allow: ADMINS,
    load: () => import('./users.web.tsx'),
    nav: { area: 'Settings', icon: 'users', order: 1 },
  },
  {
    path: '/config/roles',
    title: 'Roles',
    allow: 'ROLE_ROLES_ADMIN',
    load: () => import('./roles.web.tsx'),
    nav: { area: 'Settings', icon: 'shield', order: 2 },
  },
  {
    path: '/cms/clients',
    title: 'Clients',
    allow: 'ROLE_STAFF',
    load: () => import('./clients.web.tsx'),
    nav: { area: 'Clients', icon: 'building', order: 1 },
  },
  {
    path: '/staff/:username?',
    title: 'Staff',
    allow: ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN'],
    valid: ({ username }) => username === undefined || /^[\w.@-]{1,100}$/.test(username),
    load: () => import('./staff.web.tsx'),
    nav: { area: 'Home', icon: 'users', order: 3, label: 'Staff and phone book' },
  },
]
