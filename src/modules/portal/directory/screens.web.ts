import { screens } from '#web/shell/manifest/module.ts'
import { pageAt } from '#web/shell/manifest/page.ts'
import { withLaterPanels } from '#web/shell/manifest/panels.tsx'
import { nav } from '../nav.ts'

export const directory = screens({
  pages: [
    { ...pageAt(nav.tickets), load: () => import('../support/tickets.web.tsx') },
    { ...pageAt(nav.alerts), load: () => import('../alerts/alerts.web.tsx') },
    { ...pageAt(nav.banners), load: () => import('../banners/banners.web.tsx') },
    { ...pageAt(nav.clients), load: withLaterPanels('Client', () => import('./list.web.tsx')) },
  ],
})
