import type { DocumentTypeScreens } from '#modules/documents/types/kind.web.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { checkMethodCompletion } from './completeness.ts'
import { methodStatement } from './method-statement.ts'

export default {
  kind: methodStatement,
  custom: {
    methodStatement: () =>
      import('../statements/method-field.web.tsx').then((m) => ({ default: m.createMethodField('Tasks') })),
  },
  body: () => import('./body.web.tsx'),
  check: (record) => checkMethodCompletion(record, formatIsoAsUkDate),
  compare: {
    omit: ['riskAssessment'],
    labels: { riskDocumentNumber: 'Risk assessment' },
  },
} satisfies DocumentTypeScreens
