import { moduleWithTypesOf } from '#modules/documents/types/kinds.server.ts'
import { board } from './board/figures.server.ts'
import { corrections } from './corrections/attendance-routes.server.ts'
import { coshh } from './coshh/coshh.server.ts'
import { customFormsFeature } from './custom-forms/forms.server.ts'
import { fileUses } from './file-uses/other-uses.server.ts'
import { formScheduleFeature } from './form-schedule/form-schedule.server.ts'
import { impact } from './impact/request-reviews.server.ts'
import { library } from './library/library.server.ts'
import { methods } from './methods/method-statement.server.ts'
import { safetyNav } from './nav.ts'
import { places } from './places/reference.server.ts'
import { policies } from './policies/setup.server.ts'
import { rams } from './rams/rams-pack.server.ts'
import { ramsRequests } from './requests/request.server.ts'
import { risk } from './risk/risk-item.server.ts'
import { riskMatrices } from './risk-matrix/risk-matrix.server.ts'
import { talkSchedule } from './schedule/schedule.server.ts'
import { statements } from './statements/search.server.ts'
import { substances } from './substances/substances.server.ts'
import { talks } from './talks/presented.server.ts'
import { documentTemplatesReference } from './templates.server.ts'

export const safetyModule = moduleWithTypesOf('safety', [
  board,
  library,
  places,
  statements,
  substances,
  riskMatrices,
  risk,
  methods,
  talks,
  corrections,
  talkSchedule,
  coshh,
  policies,
  rams,
  ramsRequests,
  customFormsFeature,
  formScheduleFeature,
  impact,
  fileUses,
  { navigation: safetyNav, referenceData: [documentTemplatesReference], seeds: () => import('./demo.server.ts') },
])
