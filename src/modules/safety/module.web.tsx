import { DOCUMENT_AUTHOR_ROLES, DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { buildWebModuleWithDocumentTypes } from '#modules/documents/types/kind.web.ts'
import { screens } from '#web/shell/manifest/module.ts'
import { type Page, pageFromNavigation } from '#web/shell/manifest/page.ts'
import { recordPanel } from '#web/shell/manifest/panels.tsx'
import { safetyFiguresScreens } from './board/screens.web.ts'
import { coshhInfo } from './coshh/coshh-info.ts'
import { customForms } from './custom-forms/screens.web.ts'
import { methodStatementInfo } from './methods/method-info.ts'
import { safetyNav } from './nav.ts'
import { policyInfo } from './policies/policy-info.ts'
import { ramsInfo } from './rams/rams-info.ts'
import { RAMS_SENDING_PATH, ramsRequestsNav } from './requests/paths.ts'
import { riskAssessmentInfo } from './risk/risk-info.ts'
import { toolboxTalkScreens } from './talks/screens.web.ts'
import { toolboxTalkInfo } from './talks/talk-info.ts'
import { talksToSign } from './talks/talks-to-sign.ts'

const ramsRequestScreens = screens({
  pages: [
    { ...pageFromNavigation(ramsRequestsNav), load: () => import('./requests/list.web.tsx') },
    {
      path: `${RAMS_SENDING_PATH}/:token`,
      title: 'RAMS',
      layout: 'blank',
      open: true,
      load: () => import('./requests/send.web.tsx'),
    },
  ],
})

const safetyLibraryScreens = screens({
  pages: [
    { ...pageFromNavigation(safetyNav.substances), load: () => import('./substances/list.web.tsx') },
    { ...pageFromNavigation(safetyNav.library), load: () => import('./library/library.web.tsx') },
  ],
  panels: [
    recordPanel({ of: 'SafetySettings', order: 10, load: () => import('./settings/matrix-card.web.tsx') }),
    recordPanel({ of: 'UploadedDocument', order: 20, load: () => import('./file-uses/other-uses.web.tsx') }),
  ],
})

const policyPage = (path: string, title: string, allow: Page['allow'] & {}, load: NonNullable<Page['load']>): Page => ({
  path,
  title,
  allow,
  pack: 'safety',
  under: policyInfo.screens.list,
  load,
})

const policyScreens = screens({
  pages: [
    policyPage('/safety/policy/view', 'Policy', DOCUMENT_READER_ROLES, () => import('./policies/current.web.tsx')),
    policyPage('/safety/policy/update', 'Policy', DOCUMENT_AUTHOR_ROLES, async () => {
      const { default: Current } = await import('./policies/current.web.tsx')
      return { default: () => <Current writing /> }
    }),
    policyPage(
      '/sfp/safety-policy/review',
      'Policy review',
      DOCUMENT_AUTHOR_ROLES,
      () => import('./policies/renewals.web.tsx'),
    ),
    policyPage('/sfp/safety-policy/expired', 'Policies overdue for review', DOCUMENT_AUTHOR_ROLES, async () => {
      const { default: Renewals } = await import('./policies/renewals.web.tsx')
      return { default: () => <Renewals expired /> }
    }),
  ],
})

export const safetyWebModule = buildWebModuleWithDocumentTypes([
  {
    documentTypes: [
      { ...riskAssessmentInfo, load: () => import('./risk/risk-assessment.web.tsx') },
      { ...methodStatementInfo, load: () => import('./methods/method-statement.web.tsx') },
      { ...toolboxTalkInfo, load: () => import('./talks/toolbox-talk.web.tsx'), toSign: talksToSign },
      { ...coshhInfo, load: () => import('./coshh/coshh-assessment.web.tsx') },
      { ...ramsInfo, load: () => import('./rams/rams-pack.web.tsx') },
      { ...policyInfo, load: () => import('./policies/policy.web.tsx') },
    ],
    availableOffline: ['/api/safety/'],
    dashboard: () => import('./dashboard.web.tsx'),
    help: () => import('./help.web.ts'),
  },
  safetyFiguresScreens,
  toolboxTalkScreens,
  ramsRequestScreens,
  policyScreens,
  customForms,
  safetyLibraryScreens,
])
