import { defineDocumentTypeInfo } from '#modules/documents/types/type-info.ts'
import { riskAssessmentInfo } from '../risk/risk-info.ts'

export const methodStatementInfo = defineDocumentTypeInfo({
  kind: 'method_statement',
  name: 'Method statement',
  noun: 'method statement',
  screens: { list: '/safety/method-statement', update: '/sfp/method-statement/update' },
  nav: { title: 'Method statements', icon: 'clipboard', order: 2 },
  from: { riskAssessment: { kind: riskAssessmentInfo.kind, action: 'Method statement from this assessment' } },
  moved: [['/safety/method-statement/update/:slug', '/sfp/method-statement/update/:slug']],
})
