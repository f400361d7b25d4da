import { parseId } from '#kernel/iri.ts'
import { SAFETY_SETTINGS_NAV } from '#modules/documents/approval/settings-nav.ts'
import { DOCUMENT_APPROVER_ROLES, DOCUMENT_AUTHOR_ROLES, DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { screens } from '#web/shell/manifest/module.ts'
import type { Page } from '#web/shell/manifest/page.ts'
import { safetyNav } from '../nav.ts'

export const safetyFiguresScreens = screens({
  pages: [
    {
      path: safetyNav.overview.path,
      title: safetyNav.overview.title,
      allow: [...DOCUMENT_AUTHOR_ROLES, 'ROLE_RESELLER'],
      nav: safetyNav.overview,
      load: () => import('./overview.web.tsx'),
    },
    {
      path: '/sfp/view',
      title: 'Documents in force',
      under: safetyNav.overview.path,
      allow: DOCUMENT_READER_ROLES,
      pack: 'safety',
      load: () => import('./documents.web.tsx'),
    },
    ...['/sfp', '/safety', '/sfp/index-old'].map(
      (path): Page => ({
        path,
        title: 'Safety',
        // Marks the redirect target as selected in the menu immediately, so that the menu doesn't change during the
        // redirect.
        under: safetyNav.overview.path,
        allow: DOCUMENT_READER_ROLES,
        pack: 'safety',
        load: async () => ({ default: (await import('./overview.web.tsx')).SafetyStartPage }),
      }),
    ),
    {
      path: '/config/system/safety',
      title: 'Safety',
      redirect: SAFETY_SETTINGS_NAV.path,
      allow: DOCUMENT_APPROVER_ROLES,
      pack: 'safety',
    },
    {
      path: '/reseller/client/:id',
      title: 'Client',
      allow: 'ROLE_RESELLER',
      valid: ({ id }) => parseId(id) !== undefined,
      load: () => import('./client.web.tsx'),
    },
  ],
})
