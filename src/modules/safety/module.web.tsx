import { buildWebModuleWithDocumentTypes } from '#modules/documents/types/kind.web.ts'
import { safetyFiguresScreens } from './board/screens.web.ts'
import { coshhInfo } from './coshh/coshh-info.ts'
import { customForms } from './custom-forms/screens.web.ts'
import { safetyLibraryScreens } from './library/screens.web.ts'
import { methodStatementInfo } from './methods/method-info.ts'
import { policyInfo } from './policies/policy-info.ts'
import { policyScreens } from './policies/screens.web.tsx'
import { ramsInfo } from './rams/rams-info.ts'
import { ramsRequestScreens } from './requests/screens.web.ts'
import { riskAssessmentInfo } from './risk/risk-info.ts'
import { talksToSign, toolboxTalkScreens } from './talks/screens.web.ts'
import { toolboxTalkInfo } from './talks/talk-info.ts'

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
