import type { Navigation } from '#kernel/navigation.ts'
import { KEEPERS } from './rights.ts'

export const nav = {
  search: {
    path: '/cms/documents/search',
    title: 'Clients’ documents',
    area: 'Clients',
    icon: 'search',
    order: 6,
    allow: KEEPERS,
  },
  advice: {
    path: '/cms/consultants/web-docs',
    title: 'Questions to consultants',
    area: 'Clients',
    icon: 'clipboard',
    order: 7,
    allow: KEEPERS,
  },
  openings: {
    path: '/config/document-openings',
    title: 'Opened by your provider',
    area: 'Settings',
    icon: 'eye',
    order: 3.5,
    allow: 'ROLE_CLIENT_ADMIN',
  },
} satisfies Record<string, Navigation>
