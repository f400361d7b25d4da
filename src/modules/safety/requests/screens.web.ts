import { screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { RAMS_SENDING_PATH, ramsRequestsNav } from './paths.ts'

export const ramsRequestScreens = screens({
  pages: [
    { ...pageFromNavigation(ramsRequestsNav), load: () => import('./list.web.tsx') },
    {
      path: `${RAMS_SENDING_PATH}/:token`,
      title: 'RAMS',
      layout: 'blank',
      open: true,
      load: () => import('./send.web.tsx'),
    },
  ],
})
