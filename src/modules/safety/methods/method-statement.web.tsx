import type { DocumentKindWeb } from '#modules/documents/types/kind.web.ts'
import { showDay } from '#web/dates/uk-dates.ts'
import { checkedMethod } from './completeness.ts'
import { methodStatement } from './method-statement.ts'

export default {
  kind: methodStatement,
  custom: {
    methodStatement: () =>
      import('../statements/method-field.web.tsx').then((m) => ({ default: m.methodFieldWith('Tasks') })),
  },
  body: () => import('./body.web.tsx'),
  check: (record) => checkedMethod(record, showDay),
  compare: {
    omit: ['riskAssessment'],
    labels: { riskDocumentNumber: 'Risk assessment' },
  },
} satisfies DocumentKindWeb
