import { readId } from '#kernel/iri.ts'
import type { Roles } from '#kernel/roles.ts'
import { SETTINGS } from '#modules/documents/approval/settings-nav.ts'
import { documentFaces } from '#modules/documents/offers.web.tsx'
import { APPROVERS, AUTHORS, READERS } from '#modules/documents/rights.ts'
import { safetySettings } from '#modules/documents/settings/safety-settings.ts'
import type { LazyKind } from '#modules/documents/types/kind.web.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import type { WebModule } from '#web/shell/manifest/module.ts'
import { type Page, pageAt } from '#web/shell/manifest/page.ts'
import { panel } from '#web/shell/manifest/panels.tsx'
import { coshhFace } from './coshh/coshh-info.ts'
import { customForm } from './custom-forms/custom-form.ts'
import { customFormPages } from './custom-forms/pages.web.tsx'
import { methodFace } from './methods/method-info.ts'
import { nav } from './nav.ts'
import { policyPages } from './policies/pages.web.tsx'
import { policyFace } from './policies/policy-info.ts'
import { ramsFace } from './rams/rams-info.ts'
import { requestsNav, SENDING } from './requests/paths.ts'
import { riskFace } from './risk/risk-info.ts'
import { scheduleNav } from './schedule/paths.ts'
import { PRESENTED, talkFace } from './talks/talk-info.ts'
import { talksToSign } from './talks/to-sign.web.ts'

/** Addresses that the specification has beside those of the screens themselves. */
const MOVED: readonly (readonly [from: string, to: string, allow: Roles])[] = [
  ['/sfp/toolbox-talks', talkFace.screens.list, READERS],
  ['/config/system/safety', SETTINGS.path, APPROVERS],
]

const kinds: readonly LazyKind[] = [
  { ...riskFace, load: () => import('./risk/risk-assessment.web.tsx') },
  { ...methodFace, load: () => import('./methods/method-statement.web.tsx') },
  { ...talkFace, load: () => import('./talks/toolbox-talk.web.tsx'), toSign: talksToSign },
  { ...coshhFace, load: () => import('./coshh/coshh-assessment.web.tsx') },
  { ...ramsFace, load: () => import('./rams/rams-pack.web.tsx') },
  { ...policyFace, load: () => import('./policies/policy.web.tsx') },
]

const documents = documentFaces(kinds)

export const safety: WebModule = {
  ...documents,
  keeps: ['/api/safety/'],
  pages: [
    ...documents.pages,
    // Resellers without the pack see their clients there.
    {
      path: nav.overview.path,
      title: nav.overview.title,
      allow: [...AUTHORS, 'ROLE_RESELLER'],
      nav: nav.overview,
      load: () => import('./board/overview.web.tsx'),
    },
    {
      path: '/sfp/view',
      title: 'Documents in force',
      under: nav.overview.path,
      allow: READERS,
      pack: 'safety',
      load: () => import('./board/documents.web.tsx'),
    },
    ...['/sfp', '/safety', '/sfp/index-old'].map(
      (path): Page => ({
        path,
        title: 'Safety',
        // The menu stands as it will where this leads: nothing moves on the way.
        under: nav.overview.path,
        allow: READERS,
        pack: 'safety',
        load: () => import('./lead-on.web.tsx'),
      }),
    ),
    ...MOVED.map(([path, redirect, allow]): Page => ({ path, title: 'Safety', redirect, allow, pack: 'safety' })),
    { ...pageAt(scheduleNav), load: () => import('./schedule/schedule.web.tsx') },
    { ...pageAt(requestsNav), load: () => import('./requests/list.web.tsx') },
    {
      path: `${SENDING}/:token`,
      title: 'RAMS',
      layout: 'blank',
      open: true,
      load: () => import('./requests/send.web.tsx'),
    },
    { ...pageAt(nav.presented), load: () => import('./talks/presented-list.web.tsx') },
    {
      path: `${PRESENTED}/:slug`,
      title: 'Talk presented',
      allow: READERS,
      pack: 'safety',
      kept: true,
      load: () => import('./talks/presented.web.tsx'),
    },
    {
      path: '/reseller/client/:id',
      title: 'Client',
      allow: 'ROLE_RESELLER',
      valid: ({ id }) => readId(id) !== undefined,
      load: () => import('./board/client.web.tsx'),
    },
    {
      ...pageAt(nav.substances),
      load: () => import('./substances/list.web.tsx'),
    },
    ...policyPages,
    ...customFormPages,
    { ...pageAt(nav.library), load: () => import('./library/library.web.tsx') },
  ],
  panels: [
    ...documents.panels,
    panel({ of: safetySettings.type, order: 10, load: () => import('./settings/matrix-card.web.tsx') }),
    panel({ of: customForm.type, order: 10, load: () => import('./form-schedule/of-form.web.tsx') }),
    panel({ of: uploadedDocument.type, order: 20, load: () => import('./file-uses/other-uses.web.tsx') }),
  ],
  dashboard: async () => ({ default: (await import('./dashboard.web.tsx')).dashboardOf(kinds) }),
  help: () => import('./help.web.ts'),
}
