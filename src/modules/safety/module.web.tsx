import { moduleWithTypesOf } from '#modules/documents/types/kind.web.ts'
import { board } from './board/screens.web.ts'
import { coshhFace } from './coshh/coshh-info.ts'
import { customForms } from './custom-forms/screens.web.ts'
import { library } from './library/screens.web.ts'
import { methodFace } from './methods/method-info.ts'
import { policyFace } from './policies/policy-info.ts'
import { policies } from './policies/screens.web.tsx'
import { ramsFace } from './rams/rams-info.ts'
import { ramsRequests } from './requests/screens.web.ts'
import { riskFace } from './risk/risk-info.ts'
import { talks, talksToSign } from './talks/screens.web.ts'
import { talkFace } from './talks/talk-info.ts'

export const safety = moduleWithTypesOf([
  {
    documentTypes: [
      { ...riskFace, load: () => import('./risk/risk-assessment.web.tsx') },
      { ...methodFace, load: () => import('./methods/method-statement.web.tsx') },
      { ...talkFace, load: () => import('./talks/toolbox-talk.web.tsx'), toSign: talksToSign },
      { ...coshhFace, load: () => import('./coshh/coshh-assessment.web.tsx') },
      { ...ramsFace, load: () => import('./rams/rams-pack.web.tsx') },
      { ...policyFace, load: () => import('./policies/policy.web.tsx') },
    ],
    availableOffline: ['/api/safety/'],
    dashboard: () => import('./dashboard.web.tsx'),
    help: () => import('./help.web.ts'),
  },
  board,
  talks,
  ramsRequests,
  policies,
  customForms,
  library,
])
