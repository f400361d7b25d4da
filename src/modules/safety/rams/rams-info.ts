import { defineDocumentTypeInfo } from '#modules/documents/types/type-info.ts'
import { methodStatementInfo } from '../methods/method-info.ts'
import { riskAssessmentInfo } from '../risk/risk-info.ts'

export const ramsInfo = defineDocumentTypeInfo({
  kind: 'rams_pack',
  name: 'RAMS pack',
  noun: 'RAMS pack',
  screens: { list: '/safety/rams', update: '/safety/rams/update' },
  nav: { title: 'RAMS packs', icon: 'folder', order: 4 },
  from: {
    methodStatement: { kind: methodStatementInfo.kind, action: 'RAMS pack from this method statement' },
    riskAssessment: { kind: riskAssessmentInfo.kind, action: 'RAMS pack from this assessment' },
  },
})
