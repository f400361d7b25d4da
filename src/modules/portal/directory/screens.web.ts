import { screens } from '#web/shell/manifest/module.ts'
import { pageAt } from '#web/shell/manifest/page.ts'
import { withLaterPanels } from '#web/shell/manifest/panels.tsx'
import { PORTAL_NAV } from '../nav.ts'

export const directory = screens({
  pages: [
    { ...pageAt(PORTAL_NAV.tickets), load: () => import('../support/tickets.web.tsx') },
    { ...pageAt(PORTAL_NAV.alerts), load: () => import('../alerts/alerts.web.tsx') },
    { ...pageAt(PORTAL_NAV.banners), load: () => import('../banners/banners.web.tsx') },
    { ...pageAt(PORTAL_NAV.clients), load: withLaterPanels('Client', () => import('./list.web.tsx')) },
  ],
})
