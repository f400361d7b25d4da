import { hazardsOf } from './compared.ts'
import { riskAssessment } from './risk-assessment.ts'

/** Risk assessments on the screen: a `DocumentKindWeb` of the documents room. */
export const riskWeb = {
  kind: riskAssessment,
  custom: {
    controls: () => import('../grid/grid.web.tsx').then((m) => ({ default: m.HazardGrid })),
    ppe: () => import('./ppe-field.web.tsx').then((m) => ({ default: m.PpeField })),
    methodStatement: () => import('./method-field.web.tsx').then((m) => ({ default: m.MethodField })),
  },
  body: () => import('./body.web.tsx'),
  compare: {
    omit: ['ppe', 'parentDocumentNumber'],
    labels: { ppeItems: 'Protective equipment' },
    rows: (field: string, rows: readonly Readonly<Record<string, unknown>>[]) =>
      field === 'controls' ? hazardsOf(rows) : rows,
  },
  moved: [
    ['/sfp/risk-assessment/beta', '/safety/risk-assessment'],
    ['/sfp/risk-assessment/beta/new', '/sfp/risk-assessment/create'],
    ['/sfp/risk-assessment/beta/copy/:slug', '/sfp/risk-assessment/copy/:slug'],
    ['/sfp/risk-assessment/beta/update/:slug', '/sfp/risk-assessment/update/:slug'],
  ],
} as const
