import { screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { withLazyRecordPanels } from '#web/shell/manifest/panels.tsx'
import { PORTAL_NAV } from '../nav.ts'

export const clientDirectory = screens({
  pages: [
    { ...pageFromNavigation(PORTAL_NAV.tickets), load: () => import('../support/tickets.web.tsx') },
    { ...pageFromNavigation(PORTAL_NAV.alerts), load: () => import('../alerts/alerts.web.tsx') },
    { ...pageFromNavigation(PORTAL_NAV.banners), load: () => import('../banners/banners.web.tsx') },
    { ...pageFromNavigation(PORTAL_NAV.clients), load: withLazyRecordPanels('Client', () => import('./list.web.tsx')) },
  ],
})
