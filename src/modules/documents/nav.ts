import type { NavigationEntry } from '#kernel/packs.ts'
import { TEMPLATE_MANAGER_ROLES } from './rights.ts'

export const documentsNav = {
  search: {
    path: '/cms/documents/search',
    title: 'Clients’ documents',
    area: 'Clients',
    icon: 'search',
    order: 6,
    allow: TEMPLATE_MANAGER_ROLES,
  },
  advice: {
    path: '/cms/consultants/web-docs',
    title: 'Questions for consultants',
    area: 'Clients',
    icon: 'clipboard',
    order: 7,
    allow: TEMPLATE_MANAGER_ROLES,
  },
  openings: {
    path: '/config/document-openings',
    tabOf: '/config/confidential-reads',
    title: 'Documents opened by your provider',
    area: 'Settings',
    icon: 'search',
    order: 3.5,
    allow: 'ROLE_CLIENT_ADMIN',
  },
} satisfies Record<string, NavigationEntry>
