import { screens } from '#web/shell/manifest/module.ts'
import { pageAt } from '#web/shell/manifest/page.ts'
import { panel } from '#web/shell/manifest/panels.tsx'
import { nav } from '../nav.ts'

export const mail = screens({
  pages: [
    { ...pageAt(nav.messages), load: () => import('./messages.web.tsx') },
    { ...pageAt(nav.templates), load: () => import('./templates.web.tsx') },
    {
      path: '/unsubscribe/:token',
      title: 'E-mails to you',
      layout: 'blank',
      open: true,
      load: () => import('./unsubscribe.web.tsx'),
    },
  ],
  panels: [panel({ of: 'Client', order: 20, load: () => import('./of-client.web.tsx') })],
})
