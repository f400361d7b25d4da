import { READERS } from '#rooms/documents/kinds/kind.ts'
import type { Page } from '#web/shell/pages/page.ts'
import { riskWeb } from './risk/risk-assessment.web.tsx'
import { talksWeb } from './talks/toolbox-talk.web.tsx'

/** The kinds of controlled document that this area has, with their screens' own parts. */
export const safetyKinds = [riskWeb, talksWeb]

/** The hazard library, the times that talks were presented, and the record of each. */
export const pages: readonly Page[] = [
  {
    path: '/safety/toolbox-talks/presented',
    title: 'Talks presented',
    allow: READERS,
    pack: 'safety',
    load: () => import('./talks/presented-list.web.tsx'),
    nav: { area: 'Safety', icon: 'checklist', order: 3 },
  },
  {
    path: '/safety/toolbox-talks/presented/:slug',
    title: 'Talk presented',
    allow: READERS,
    pack: 'safety',
    load: () => import('./talks/presented.web.tsx'),
  },
  {
    path: '/safety/library',
    title: 'Hazard library',
    allow: ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED', 'ROLE_CLIENTS_ADMIN'],
    pack: 'safety',
    load: () => import('./library/library.web.tsx'),
    nav: { area: 'Safety', icon: 'shield', order: 9 },
  },
]
