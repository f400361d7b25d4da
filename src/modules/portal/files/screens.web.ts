import { screens } from '#web/shell/manifest/module.ts'
import { pageAt } from '#web/shell/manifest/page.ts'
import { withLaterPanels } from '#web/shell/manifest/panels.tsx'
import { PORTAL_NAV } from '../nav.ts'

export const files = screens({
  pages: [
    {
      ...pageAt(PORTAL_NAV.files),
      load: withLaterPanels('UploadedDocument', () => import('../file-manager/manager.web.tsx')),
    },
    { ...pageAt(PORTAL_NAV.downloads), load: () => import('../downloads/downloads.web.tsx') },
    {
      path: '/sfp/custom-downloads',
      title: PORTAL_NAV.downloads.title,
      redirect: PORTAL_NAV.downloads.path,
      allow: PORTAL_NAV.downloads.allow,
    },
  ],
})
