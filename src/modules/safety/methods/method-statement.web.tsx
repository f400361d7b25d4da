import type { DocumentTypeScreens } from '#modules/documents/types/kind.web.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { checkMethodStatementCompletion } from './completeness.ts'
import { methodStatement } from './method-statement.ts'

export default {
  kind: methodStatement,
  custom: {
    methodStatement: () =>
      import('../statements/method-field.web.tsx').then((m) => ({ default: m.createMethodStatementField('Tasks') })),
  },
  body: () => import('./body.web.tsx'),
  check: (record) => checkMethodStatementCompletion(record, formatIsoAsUkDate),
  compare: {
    omit: ['riskAssessment'],
    labels: { riskDocumentNumber: 'Risk assessment' },
  },
} satisfies DocumentTypeScreens
