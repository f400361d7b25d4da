import type { Page } from '#web/shell/page.ts'
import type { KindScreens } from './document-work.web.ts'

/** The dashboard, which knows the screens of these kinds of document, and the help. */
export const homePages = (kinds: readonly KindScreens[]): Page[] => [
  {
    path: '/dashboard',
    title: 'Dashboard',
    load: async () => {
      const { default: Dashboard } = await import('./dashboard.web.tsx')
      return { default: () => <Dashboard kinds={kinds} /> }
    },
    nav: { area: 'Home', icon: 'home', order: 1 },
  },
  {
    path: '/help',
    title: 'Help',
    open: true,
    checks: ['session'],
    load: () => import('./help.web.tsx'),
    nav: { area: 'Home', icon: 'help', order: 3 },
  },
  { path: '/help/child', title: 'Help', open: true, checks: ['session'], load: () => import('./help-article.web.tsx') },
  {
    path: '/about',
    title: 'About',
    load: () => import('./about.web.tsx'),
    nav: { area: 'Home', icon: 'info', order: 4 },
  },
  {
    path: '/maintenance',
    title: 'Maintenance',
    layout: 'maintenance',
    open: true,
    load: () => import('./maintenance.web.tsx'),
  },
  {
    path: '/error/403',
    title: 'No access',
    open: true,
    checks: ['session'],
    load: () => import('./no-access.web.tsx'),
  },
]
