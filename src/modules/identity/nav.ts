import type { NavigationEntry } from '#kernel/packs.ts'

const ADMINS = ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'] as const

export const IDENTITY_NAV = {
  profile: { path: '/profile', title: 'My profile', area: 'Home', icon: 'user', order: 2, allow: 'member' },
  security: {
    path: '/profile/security',
    title: 'Sign-in and security',
    area: 'Home',
    icon: 'shield',
    order: 3,
    allow: 'member',
  },
  users: { path: '/config/users', title: 'Users', area: 'Settings', icon: 'users', order: 1, allow: ADMINS },
  roles: {
    path: '/config/roles',
    title: 'Roles',
    area: 'Settings',
    icon: 'shield',
    order: 2,
    allow: 'ROLE_ROLES_ADMIN',
  },
  securityLog: {
    path: '/config/security-log',
    title: 'Security log',
    area: 'Settings',
    icon: 'alert',
    order: 12,
    allow: ADMINS,
  },
  visits: {
    path: '/config/visits',
    tabOf: '/config/security-log',
    title: 'Impersonation log',
    area: 'Settings',
    icon: 'eye',
    order: 3,
    allow: ADMINS,
  },
  confidentialReads: {
    path: '/config/confidential-reads',
    title: 'Confidential data: who read it',
    area: 'Settings',
    icon: 'search',
    order: 3.5,
    allow: 'ROLE_CLIENT_ADMIN',
  },
} satisfies Record<string, NavigationEntry>
