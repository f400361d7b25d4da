import { defineDocumentTypeInfo } from '#modules/documents/types/type-info.ts'

export const riskAssessmentInfo = defineDocumentTypeInfo({
  kind: 'risk_assessment',
  name: 'Risk assessment',
  noun: 'risk assessment',
  screens: { list: '/safety/risk-assessment', update: '/sfp/risk-assessment/update' },
  nav: { title: 'Risk assessments', icon: 'alert', order: 1 },
  moved: [
    ['/sfp/risk-assessment/beta', '/safety/risk-assessment'],
    ['/sfp/risk-assessment/beta/new', '/sfp/risk-assessment/create'],
    ['/sfp/risk-assessment/beta/copy/:slug', '/sfp/risk-assessment/copy/:slug'],
    ['/sfp/risk-assessment/beta/update/:slug', '/sfp/risk-assessment/update/:slug'],
  ],
})
