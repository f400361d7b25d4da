import type { DocumentKindWeb } from '#modules/documents/types/kind.web.ts'
import { showDay } from '#web/dates/uk-dates.ts'
import { matrixIn } from '../risk-matrix/bands.ts'
import { checkedRisks } from './checked.ts'
import { bandsTold, hazardsOf } from './compared.ts'
import { riskAssessment } from './risk-assessment.ts'

/** In force, and with a risk that is high with all controls in place. */
const HIGH_RISK = {
  value: 'high',
  label: 'High',
  asks: { risk: '', current: 'true', highRisk: 'true' },
}

/** Risk assessments on the screen. */
export default {
  kind: riskAssessment,
  custom: {
    controls: () => import('../grid/grid.web.tsx').then((m) => ({ default: m.HazardGrid })),
    ppe: () => import('./ppe-field.web.tsx').then((m) => ({ default: m.PpeField })),
    methodStatement: () =>
      import('../statements/method-field.web.tsx').then((m) => ({ default: m.methodFieldWith('Sequence of work') })),
  },
  body: () => import('./body.web.tsx'),
  filters: ({ site }) => [
    { key: 'risk', label: 'Residual risk', options: [HIGH_RISK] },
    ...(site
      ? [
          {
            key: 'site',
            label: 'Location',
            options: [{ value: site, label: site, asks: { site: '', 'location[exact]': site } }],
          },
        ]
      : []),
  ],
  check: (record) => checkedRisks(record, showDay),
  compare: {
    omit: ['ppe', 'parentDocumentNumber'],
    labels: {
      ppeItems: 'Protective equipment',
      'matrix.probability': 'Words of probability',
      'matrix.severity': 'Words of severity',
      'matrix.bands': 'Bands of risk',
    },
    rows: (
      field: string,
      rows: readonly Readonly<Record<string, unknown>>[],
      record: Readonly<Record<string, unknown>>,
    ) => {
      const matrix = matrixIn(record)
      return field === 'controls' ? hazardsOf(rows, matrix) : field === 'matrix.bands' ? bandsTold(matrix) : rows
    },
  },
} satisfies DocumentKindWeb
