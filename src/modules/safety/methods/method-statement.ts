import { documentKind } from '#modules/documents/types/kind.ts'
import { associatedRisks } from '../risk/associated.ts'
import { riskAssessment } from '../risk/risk-assessment.ts'
import { noContacts } from '../shared-fields/contacts.ts'
import { defaultMethod } from '../shared-fields/default-method.ts'
import { jobFound } from '../shared-fields/fields.ts'
import { keptMethod } from '../shared-fields/kept-method.ts'
import { methodStatement as chosen, NOTHING_CHOSEN } from '../statements/chosen.ts'
import { methodProblems } from './completeness.ts'
import { methodForm } from './form.ts'
import { takenFrom } from './from-assessment.ts'
import { methodInfo } from './method-info.ts'
import { methodPdf } from './pdf-body.ts'

/** How a job is done safely, step by step: by whom, with what, and what to do when it goes wrong. */
export const methodStatement = documentKind({
  ...methodInfo,
  type: 'MethodStatement',
  path: 'method_statements',
  prefix: 'MS',
  title: { field: 'description', label: 'Description', required: 'Please say what is to be done' },
  schema: methodForm,
  fields: { methodStatement: chosen },
  kept: { methodStatement: keptMethod },
  found: jobFound,
  references: {
    associated: { ...associatedRisks, first: { source: 'riskAssessment', number: 'riskDocumentNumber' } },
  },
  sources: () => ({ riskAssessment }),
  begunFrom: ({ source, begun }) => (source ? takenFrom(source.record, begun) : {}),
  begun: { methodStatement: defaultMethod },
  reviewMonths: 12,
  pdf: { template: 'src/modules/safety/methods/method-statement.typ', body: methodPdf },
  problems: methodProblems,
  confirms: ['sequence', 'methodStatement', 'plant', 'permits', 'equipment'],
  blank: () => ({
    sequence: [],
    plant: [],
    permits: [],
    people: [],
    emergencyContact: noContacts(),
    methodStatement: NOTHING_CHOSEN,
    associated: [],
    uploadedDocuments: [],
  }),
})
