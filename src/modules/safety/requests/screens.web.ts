import { screens } from '#web/shell/manifest/module.ts'
import { pageAt } from '#web/shell/manifest/page.ts'
import { requestsNav, SENDING } from './paths.ts'

export const ramsRequests = screens({
  pages: [
    { ...pageAt(requestsNav), load: () => import('./list.web.tsx') },
    { path: `${SENDING}/:token`, title: 'RAMS', layout: 'blank', open: true, load: () => import('./send.web.tsx') },
  ],
})
