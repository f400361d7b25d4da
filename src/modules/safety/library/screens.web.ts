import { safetySettings } from '#modules/documents/settings/safety-settings.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { recordPanel } from '#web/shell/manifest/panels.tsx'
import { safetyNav } from '../nav.ts'

export const safetyLibraryScreens = screens({
  pages: [
    { ...pageFromNavigation(safetyNav.substances), load: () => import('../substances/list.web.tsx') },
    { ...pageFromNavigation(safetyNav.library), load: () => import('./library.web.tsx') },
  ],
  panels: [
    recordPanel({ of: safetySettings.type, order: 10, load: () => import('../settings/matrix-card.web.tsx') }),
    recordPanel({ of: uploadedDocument.type, order: 20, load: () => import('../file-uses/other-uses.web.tsx') }),
  ],
})
