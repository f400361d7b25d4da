import type { Page } from '#web/shell/pages/page.ts'
import { FILE_PEOPLE } from './files/document-folder.ts'
import type { KindScreens } from './home/document-work.web.ts'

/** The dashboard, which knows the screens of these kinds of document, the help, the files and the clients. */
export const portalPages = (kinds: readonly KindScreens[]): Page[] => [
  {
    path: '/dashboard',
    title: 'Dashboard',
    load: async () => {
      const { default: Dashboard } = await import('./home/dashboard.web.tsx')
      return { default: () => <Dashboard kinds={kinds} /> }
    },
    nav: { area: 'Home', icon: 'home', order: 1 },
  },
  {
    path: '/help',
    title: 'Help',
    open: true,
    checks: ['session'],
    load: () => import('./help/help.web.tsx'),
    nav: { area: 'Home', icon: 'help', order: 3 },
  },
  { path: '/help/child', title: 'Help', open: true, checks: ['session'], load: () => import('./help/article.web.tsx') },
  {
    path: '/about',
    title: 'About',
    load: () => import('./home/about.web.tsx'),
    nav: { area: 'Home', icon: 'info', order: 4 },
  },
  {
    path: '/maintenance',
    title: 'Maintenance',
    layout: 'maintenance',
    open: true,
    load: () => import('./home/maintenance.web.tsx'),
  },
  {
    path: '/error/403',
    title: 'No access',
    open: true,
    checks: ['session'],
    load: () => import('./home/no-access.web.tsx'),
  },
  {
    path: '/sfp/file-manager',
    title: 'File manager',
    allow: FILE_PEOPLE,
    load: () => import('./files/manager.web.tsx'),
    nav: { area: 'Safety', icon: 'folder', order: 8 },
  },
  {
    path: '/cms/clients',
    title: 'Clients',
    allow: 'ROLE_STAFF',
    load: () => import('./directory/list.web.tsx'),
    nav: { area: 'Clients', icon: 'building', order: 1 },
  },
]
