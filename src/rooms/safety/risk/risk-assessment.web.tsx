import type { DocumentKindWeb } from '#rooms/documents/offers.web.tsx'
import { showDay } from '#web/dates/uk-dates.ts'
import { checkedRisks } from './checked.ts'
import { hazardsOf } from './compared.ts'
import { riskAssessment } from './risk-assessment.ts'

/** Risk assessments on the screen. */
export default {
  kind: riskAssessment,
  custom: {
    controls: () => import('../grid/grid.web.tsx').then((m) => ({ default: m.HazardGrid })),
    ppe: () => import('./ppe-field.web.tsx').then((m) => ({ default: m.PpeField })),
    methodStatement: () => import('./method-field.web.tsx').then((m) => ({ default: m.MethodField })),
  },
  body: () => import('./body.web.tsx'),
  check: (record) => checkedRisks(record, showDay),
  compare: {
    omit: ['ppe', 'parentDocumentNumber'],
    labels: { ppeItems: 'Protective equipment' },
    rows: (field: string, rows: readonly Readonly<Record<string, unknown>>[]) =>
      field === 'controls' ? hazardsOf(rows) : rows,
  },
} satisfies DocumentKindWeb
