import { buildModuleWithDocumentTypes } from '#modules/documents/types/kinds.server.ts'
import { safetyFiguresFeature } from './board/figures.server.ts'
import { talkRecordsFeature } from './corrections/attendance-routes.server.ts'
import { coshh } from './coshh/coshh.server.ts'
import { customFormsFeature } from './custom-forms/forms.server.ts'
import { fileUses } from './file-uses/other-uses.server.ts'
import { formScheduleFeature } from './form-schedule/form-schedule.server.ts'
import { libraryUsesFeature } from './impact/request-reviews.server.ts'
import { safetyLibraryFeature } from './library/library.server.ts'
import { methodStatementsFeature } from './methods/method-statement.server.ts'
import { safetyNav } from './nav.ts'
import { localAuthoritiesFeature } from './places/reference.server.ts'
import { policies } from './policies/setup.server.ts'
import { rams } from './rams/rams-pack.server.ts'
import { ramsRequests } from './requests/request.server.ts'
import { riskAssessmentsFeature } from './risk/risk-item.server.ts'
import { riskMatrices } from './risk-matrix/risk-matrix.server.ts'
import { talkSchedule } from './schedule/schedule.server.ts'
import { statementLibraryFeature } from './statements/search.server.ts'
import { substances } from './substances/substances.server.ts'
import { talks } from './talks/presented.server.ts'
import { documentTemplateReferenceData } from './templates.server.ts'

export const safetyModule = buildModuleWithDocumentTypes('safety', [
  safetyFiguresFeature,
  safetyLibraryFeature,
  localAuthoritiesFeature,
  statementLibraryFeature,
  substances,
  riskMatrices,
  riskAssessmentsFeature,
  methodStatementsFeature,
  talks,
  talkRecordsFeature,
  talkSchedule,
  coshh,
  policies,
  rams,
  ramsRequests,
  customFormsFeature,
  formScheduleFeature,
  libraryUsesFeature,
  fileUses,
  { navigation: safetyNav, referenceData: [documentTemplateReferenceData], seeds: () => import('./demo.server.ts') },
])
