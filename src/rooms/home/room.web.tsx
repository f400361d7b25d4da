import type { Page } from '#web/shell/page.ts'

export const pages: readonly Page[] = [
  {
    path: '/dashboard',
    title: 'Dashboard',
    load: () => import('./dashboard.web.tsx'),
    nav: { area: 'Home', icon: 'home', order: 1 },
  },
]
