import { screens } from '#web/shell/manifest/module.ts'
import { pageAt } from '#web/shell/manifest/page.ts'
import { withLaterPanels } from '#web/shell/manifest/panels.tsx'
import { nav } from '../nav.ts'

export const files = screens({
  pages: [
    {
      ...pageAt(nav.files),
      load: withLaterPanels('UploadedDocument', () => import('../file-manager/manager.web.tsx')),
    },
    { ...pageAt(nav.downloads), load: () => import('../downloads/downloads.web.tsx') },
    {
      path: '/sfp/custom-downloads',
      title: nav.downloads.title,
      redirect: nav.downloads.path,
      allow: nav.downloads.allow,
    },
  ],
})
