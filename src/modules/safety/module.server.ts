import {
  buildModuleWithDocumentTypes,
  defineDocumentFeature,
  FACTS_OF_PARTS,
} from '#modules/documents/types/kinds.server.ts'
import { safetyFiguresFeature } from './board/figures.server.ts'
import { talkRecordsFeature } from './corrections/attendance-routes.server.ts'
import { coshh } from './coshh/coshh.server.ts'
import { customFormsFeature } from './custom-forms/forms.server.ts'
import { fileUsesFeature } from './file-uses/other-uses.server.ts'
import { formLinksFeature } from './form-links/routes.server.ts'
import { formScheduleFeature } from './form-schedule/form-schedule.server.ts'
import { libraryUsesFeature } from './impact/request-reviews.server.ts'
import { safetyLibraryFeature } from './library/library.server.ts'
import { methodStatementsFeature } from './methods/facts.server.ts'
import { safetyNav } from './nav.ts'
import { localAuthoritiesFeature } from './places/reference.server.ts'
import { policiesFeature } from './policies/setup.server.ts'
import { ramsPack } from './rams/rams-pack.ts'
import { ramsRequestsFeature } from './requests/request.server.ts'
import { riskAssessmentsFeature } from './risk/risk-item.server.ts'
import { riskMatricesFeature } from './risk-matrix/risk-matrix.server.ts'
import { talkScheduleFeature } from './schedule/schedule.server.ts'
import { statementLibraryFeature } from './statements/search.server.ts'
import { substancesFeature } from './substances/substances.server.ts'
import { talkLinksFeature } from './talk-links/routes.server.ts'
import { toolboxTalksFeature } from './talks/presented.server.ts'
import { documentTemplateReferenceData } from './templates.server.ts'

export const safetyModule = buildModuleWithDocumentTypes('safety', [
  safetyFiguresFeature,
  safetyLibraryFeature,
  localAuthoritiesFeature,
  statementLibraryFeature,
  substancesFeature,
  riskMatricesFeature,
  riskAssessmentsFeature,
  methodStatementsFeature,
  toolboxTalksFeature,
  talkRecordsFeature,
  talkLinksFeature,
  talkScheduleFeature,
  coshh,
  policiesFeature,
  defineDocumentFeature({
    pack: 'safety',
    kinds: [ramsPack],
    facts: { [ramsPack.kind]: FACTS_OF_PARTS },
    seeds: () => import('./rams/demo.server.ts'),
  }),
  ramsRequestsFeature,
  customFormsFeature,
  formLinksFeature,
  formScheduleFeature,
  libraryUsesFeature,
  fileUsesFeature,
  { navigation: safetyNav, referenceData: [documentTemplateReferenceData], seeds: () => import('./demo.server.ts') },
])
