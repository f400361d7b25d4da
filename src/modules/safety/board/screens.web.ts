import { readId } from '#kernel/iri.ts'
import { SETTINGS } from '#modules/documents/approval/settings-nav.ts'
import { APPROVERS, AUTHORS, READERS } from '#modules/documents/rights.ts'
import { screens } from '#web/shell/manifest/module.ts'
import type { Page } from '#web/shell/manifest/page.ts'
import { nav } from '../nav.ts'

export const board = screens({
  pages: [
    {
      path: nav.overview.path,
      title: nav.overview.title,
      allow: [...AUTHORS, 'ROLE_RESELLER'],
      nav: nav.overview,
      load: () => import('./overview.web.tsx'),
    },
    {
      path: '/sfp/view',
      title: 'Documents in force',
      under: nav.overview.path,
      allow: READERS,
      pack: 'safety',
      load: () => import('./documents.web.tsx'),
    },
    ...['/sfp', '/safety', '/sfp/index-old'].map(
      (path): Page => ({
        path,
        title: 'Safety',
        // The menu already shows the target as selected, so that nothing moves during the redirect.
        under: nav.overview.path,
        allow: READERS,
        pack: 'safety',
        load: () => import('./lead-on.web.tsx'),
      }),
    ),
    {
      path: '/config/system/safety',
      title: 'Safety',
      redirect: SETTINGS.path,
      allow: APPROVERS,
      pack: 'safety',
    },
    {
      path: '/reseller/client/:id',
      title: 'Client',
      allow: 'ROLE_RESELLER',
      valid: ({ id }) => readId(id) !== undefined,
      load: () => import('./client.web.tsx'),
    },
  ],
})
