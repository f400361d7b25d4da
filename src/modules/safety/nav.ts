import type { Navigation } from '#kernel/navigation.ts'
import { AUTHORS, READERS } from '#modules/documents/rights.ts'
import { coshhInfo } from './coshh/coshh-info.ts'
import { customFormsNav } from './custom-forms/paths.ts'
import { methodInfo } from './methods/method-info.ts'
import { policyInfo } from './policies/policy-info.ts'
import { ramsInfo } from './rams/rams-info.ts'
import { requestsNav } from './requests/paths.ts'
import { riskInfo } from './risk/risk-info.ts'
import { scheduleNav } from './schedule/paths.ts'
import { PRESENTED, talkInfo } from './talks/talk-info.ts'

export const nav = {
  overview: {
    path: '/sfp/overview',
    title: 'Safety overview',
    icon: 'chart',
    order: 0,
    allow: AUTHORS,
    area: 'Safety',
    pack: 'safety',
  },
  riskAssessments: riskInfo.nav,
  methodStatements: methodInfo.nav,
  toolboxTalks: talkInfo.nav,
  schedule: scheduleNav,
  presented: {
    path: PRESENTED,
    title: 'Presented talks',
    icon: 'checklist',
    order: 5,
    allow: READERS,
    area: 'Safety',
    pack: 'safety',
  },
  coshhAssessments: coshhInfo.nav,
  substances: {
    path: '/safety/substances',
    title: 'Substances',
    icon: 'flask',
    order: 7,
    allow: READERS,
    area: 'Safety',
    pack: 'safety',
  },
  ramsPacks: ramsInfo.nav,
  ramsRequests: requestsNav,
  policies: policyInfo.nav,
  customForms: customFormsNav,
  library: {
    path: '/safety/library',
    title: 'Hazard library',
    icon: 'shield',
    order: 13,
    allow: ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED', 'ROLE_CLIENTS_ADMIN'],
    area: 'Safety',
    pack: 'safety',
  },
} satisfies Record<string, Navigation>
