import { riskAssessment } from './risk-assessment.ts'

/** Risk assessments on the screen: a `DocumentKindWeb` of the documents room. */
export const riskWeb = {
  kind: riskAssessment,
  icon: 'alert',
  plural: 'Risk assessments',
  order: 1,
  compare: {
    omit: ['ppe', 'parentDocumentNumber'],
    labels: { ppeItems: 'Protective equipment' },
    rowName: (field: string, row: Readonly<Record<string, unknown>>) => {
      if (field !== 'controls') return undefined
      const control = row.controlName ? ` – ${row.controlName as string}` : ''
      return `${row.hazardName as string}${control}`
    },
  },
  moved: [
    ['/sfp/risk-assessment/beta', '/safety/risk-assessment'],
    ['/sfp/risk-assessment/beta/new', '/sfp/risk-assessment/create'],
    ['/sfp/risk-assessment/beta/copy/:slug', '/sfp/risk-assessment/copy/:slug'],
    ['/sfp/risk-assessment/beta/update/:slug', '/sfp/risk-assessment/update/:slug'],
  ],
} as const
