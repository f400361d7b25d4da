import { screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { PORTAL_NAV } from '../nav.ts'
import { LETTERHEAD_MANAGER_ROLES } from './letterhead.ts'

export const letterhead = screens({
  pages: [
    { ...pageFromNavigation(PORTAL_NAV.letterhead), load: () => import('./letterhead.web.tsx') },
    {
      path: '/config/system/pdf',
      title: 'PDF layout',
      under: '/safety/Settings',
      allow: LETTERHEAD_MANAGER_ROLES,
      load: () => import('./system-pdf.web.tsx'),
    },
  ],
})
