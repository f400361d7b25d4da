import { buildWebModuleWithDocumentTypes } from '#modules/documents/types/kind.web.ts'
import { safetyFiguresScreens } from './board/screens.web.ts'
import { coshhInfo } from './coshh/coshh-info.ts'
import { customForms } from './custom-forms/screens.web.ts'
import { safetyLibraryScreens } from './library/screens.web.ts'
import { methodInfo } from './methods/method-info.ts'
import { policyInfo } from './policies/policy-info.ts'
import { policies } from './policies/screens.web.tsx'
import { ramsInfo } from './rams/rams-info.ts'
import { ramsRequests } from './requests/screens.web.ts'
import { riskInfo } from './risk/risk-info.ts'
import { talks, talksToSign } from './talks/screens.web.ts'
import { talkInfo } from './talks/talk-info.ts'

export const safetyWebModule = buildWebModuleWithDocumentTypes([
  {
    documentTypes: [
      { ...riskInfo, load: () => import('./risk/risk-assessment.web.tsx') },
      { ...methodInfo, load: () => import('./methods/method-statement.web.tsx') },
      { ...talkInfo, load: () => import('./talks/toolbox-talk.web.tsx'), toSign: talksToSign },
      { ...coshhInfo, load: () => import('./coshh/coshh-assessment.web.tsx') },
      { ...ramsInfo, load: () => import('./rams/rams-pack.web.tsx') },
      { ...policyInfo, load: () => import('./policies/policy.web.tsx') },
    ],
    availableOffline: ['/api/safety/'],
    dashboard: () => import('./dashboard.web.tsx'),
    help: () => import('./help.web.ts'),
  },
  safetyFiguresScreens,
  talks,
  ramsRequests,
  policies,
  customForms,
  safetyLibraryScreens,
])
