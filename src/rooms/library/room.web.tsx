import type { Page } from '#web/shell/page.ts'

export const pages: readonly Page[] = [
  {
    path: '/safety/library',
    title: 'Hazard library',
    allow: ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED', 'ROLE_CLIENTS_ADMIN'],
    load: () => import('./library.web.tsx'),
    nav: { area: 'Safety', icon: 'shield', order: 9 },
  },
]
