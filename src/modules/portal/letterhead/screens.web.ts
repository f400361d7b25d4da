import { screens } from '#web/shell/manifest/module.ts'
import { pageAt } from '#web/shell/manifest/page.ts'
import { nav } from '../nav.ts'
import { LETTERHEAD_KEEPERS } from './letterhead.ts'

export const letterhead = screens({
  pages: [
    { ...pageAt(nav.letterhead), load: () => import('./letterhead.web.tsx') },
    {
      path: '/config/system/pdf',
      title: 'PDF layout',
      under: '/safety/Settings',
      allow: LETTERHEAD_KEEPERS,
      load: () => import('./system-pdf.web.tsx'),
    },
  ],
})
