import { screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { withLazyRecordPanels } from '#web/shell/manifest/panels.tsx'
import { PORTAL_NAV } from '../nav.ts'

export const files = screens({
  pages: [
    {
      ...pageFromNavigation(PORTAL_NAV.files),
      load: withLazyRecordPanels('UploadedDocument', () => import('../file-manager/manager.web.tsx')),
    },
    { ...pageFromNavigation(PORTAL_NAV.downloads), load: () => import('../downloads/downloads.web.tsx') },
    {
      path: '/sfp/custom-downloads',
      title: PORTAL_NAV.downloads.title,
      redirect: PORTAL_NAV.downloads.path,
      allow: PORTAL_NAV.downloads.allow,
    },
  ],
})
