import type { NavigationEntry } from '#kernel/packs.ts'
import { TEMPLATE_MANAGERS } from './rights.ts'

export const nav = {
  search: {
    path: '/cms/documents/search',
    title: 'Clients’ documents',
    area: 'Clients',
    icon: 'search',
    order: 6,
    allow: TEMPLATE_MANAGERS,
  },
  advice: {
    path: '/cms/consultants/web-docs',
    title: 'Questions to consultants',
    area: 'Clients',
    icon: 'clipboard',
    order: 7,
    allow: TEMPLATE_MANAGERS,
  },
  openings: {
    path: '/config/document-openings',
    title: 'Opened by your provider',
    area: 'Settings',
    icon: 'eye',
    order: 3.5,
    allow: 'ROLE_CLIENT_ADMIN',
  },
} satisfies Record<string, NavigationEntry>
