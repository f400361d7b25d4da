import { DOCUMENT_APPROVER_ROLES } from '#modules/documents/rights.ts'
import { buildWebModule, screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { withLazyRecordPanels } from '#web/shell/manifest/panels.tsx'
import { home } from './home/screens.web.tsx'
import { PORTAL_NAV } from './nav.ts'

const clientDirectory = screens({
  pages: [
    { ...pageFromNavigation(PORTAL_NAV.tickets), load: () => import('./support/tickets.web.tsx') },
    { ...pageFromNavigation(PORTAL_NAV.alerts), load: () => import('./alerts/alerts.web.tsx') },
    { ...pageFromNavigation(PORTAL_NAV.banners), load: () => import('./banners/banners.web.tsx') },
    {
      ...pageFromNavigation(PORTAL_NAV.clients),
      load: withLazyRecordPanels('Client', () => import('./directory/list.web.tsx')),
    },
  ],
})

const letterhead = screens({
  pages: [
    { ...pageFromNavigation(PORTAL_NAV.letterhead), load: () => import('./letterhead/letterhead.web.tsx') },
    {
      path: '/config/system/pdf',
      title: 'PDF layout',
      under: '/safety/Settings',
      allow: DOCUMENT_APPROVER_ROLES,
      load: () => import('./letterhead/system-pdf.web.tsx'),
    },
  ],
})

const files = screens({
  pages: [
    {
      ...pageFromNavigation(PORTAL_NAV.files),
      load: withLazyRecordPanels('UploadedDocument', () => import('./file-manager/manager.web.tsx')),
    },
    { ...pageFromNavigation(PORTAL_NAV.downloads), load: () => import('./downloads/downloads.web.tsx') },
    {
      path: '/sfp/custom-downloads',
      title: PORTAL_NAV.downloads.title,
      redirect: PORTAL_NAV.downloads.path,
      allow: PORTAL_NAV.downloads.allow,
    },
  ],
})

export const portalWebModule = buildWebModule([
  home,
  files,
  letterhead,
  clientDirectory,
  {
    availableOffline: ['/api/portal/names'],
    dashboard: () => import('./dashboard.web.tsx'),
    help: () => import('./help.web.ts'),
  },
])
