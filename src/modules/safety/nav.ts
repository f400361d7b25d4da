import type { NavigationEntry } from '#kernel/packs.ts'
import { DOCUMENT_AUTHOR_ROLES, DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { coshhInfo } from './coshh/coshh-info.ts'
import { CUSTOM_FORMS_NAV } from './custom-forms/paths.ts'
import { methodStatementInfo } from './methods/method-info.ts'
import { policyInfo } from './policies/policy-info.ts'
import { ramsInfo } from './rams/rams-info.ts'
import { ramsRequestsNav } from './requests/paths.ts'
import { riskAssessmentInfo } from './risk/risk-info.ts'
import { talkScheduleNav } from './schedule/paths.ts'
import { PRESENTED_TALKS_PATH, toolboxTalkInfo } from './talks/talk-info.ts'

export const safetyNav = {
  overview: {
    path: '/sfp/overview',
    title: 'Safety overview',
    icon: 'chart',
    order: 0,
    allow: DOCUMENT_AUTHOR_ROLES,
    area: 'Documents',
    pack: 'safety',
  },
  riskAssessments: riskAssessmentInfo.nav,
  methodStatements: methodStatementInfo.nav,
  toolboxTalks: toolboxTalkInfo.nav,
  schedule: talkScheduleNav,
  presented: {
    path: PRESENTED_TALKS_PATH,
    title: 'Presented talks',
    icon: 'checklist',
    order: 6.2,
    tabOf: toolboxTalkInfo.nav.path,
    allow: DOCUMENT_READER_ROLES,
    area: 'Documents',
    pack: 'safety',
  },
  coshhAssessments: coshhInfo.nav,
  substances: {
    path: '/safety/substances',
    title: 'Substances',
    icon: 'flask',
    order: 3.1,
    tabOf: coshhInfo.nav.path,
    allow: DOCUMENT_READER_ROLES,
    area: 'Documents',
    pack: 'safety',
  },
  ramsPacks: ramsInfo.nav,
  ramsRequests: ramsRequestsNav,
  policies: policyInfo.nav,
  customForms: CUSTOM_FORMS_NAV,
  library: {
    path: '/safety/library',
    title: 'Hazard library',
    icon: 'shield',
    order: 8,
    allow: ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED', 'ROLE_CLIENTS_ADMIN'],
    area: 'Documents',
    pack: 'safety',
  },
} satisfies Record<string, NavigationEntry>
