import type { DocumentTypeScreens } from '#modules/documents/types/kind.web.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { checkMethodStatementCompletion } from './completeness.ts'
import { methodStatement } from './method-statement.ts'

export default {
  kind: methodStatement,
  custom: {
    supervisor: () => import('#modules/documents/named-employees/name-input.web.tsx'),
    firstAider: () => import('#modules/documents/named-employees/name-input.web.tsx'),
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
