import { screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { recordPanel } from '#web/shell/manifest/panels.tsx'
import { crmNav } from '../nav.ts'

export const mailScreens = screens({
  pages: [
    { ...pageFromNavigation(crmNav.messages), load: () => import('./messages.web.tsx') },
    { ...pageFromNavigation(crmNav.templates), load: () => import('./templates.web.tsx') },
    {
      path: '/unsubscribe/:token',
      title: 'E-mail preferences',
      layout: 'blank',
      open: true,
      load: () => import('./unsubscribe.web.tsx'),
    },
  ],
  panels: [recordPanel({ of: 'Client', order: 20, load: () => import('./of-client.web.tsx') })],
})
