import { DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { safetyNav } from '../nav.ts'
import { talkScheduleNav } from '../schedule/paths.ts'
import { PRESENTED_TALKS_PATH, toolboxTalkInfo } from './talk-info.ts'

export const toolboxTalkScreens = screens({
  pages: [
    // Additional path, defined by the specification.
    {
      path: '/sfp/toolbox-talks',
      title: 'Safety',
      redirect: toolboxTalkInfo.screens.list,
      allow: DOCUMENT_READER_ROLES,
      pack: 'safety',
    },
    { ...pageFromNavigation(talkScheduleNav), load: () => import('../schedule/schedule.web.tsx') },
    {
      ...pageFromNavigation(safetyNav.presented),
      availableOffline: 'submitted',
      load: () => import('./presented-list.web.tsx'),
    },
    {
      path: `${PRESENTED_TALKS_PATH}/:slug`,
      title: 'Presented talk',
      recordsAt: '/api/safety/toolbox_talk_presenteds',
      allow: DOCUMENT_READER_ROLES,
      pack: 'safety',
      availableOffline: 'typed',
      load: () => import('./presented.web.tsx'),
    },
    {
      path: '/talk/:token',
      title: 'Toolbox talk',
      layout: 'blank',
      open: true,
      load: () => import('./link-page.web.tsx'),
    },
  ],
})
