import { iriOf } from '#kernel/resource.ts'
import { document } from '#modules/documents/types/document.ts'
import { documentKind } from '#modules/documents/types/kind.ts'
import { associatedRisks } from '../risk/associated.ts'
import { riskAssessment } from '../risk/risk-assessment.ts'
import { contactsField, noContacts } from '../shared-fields/contacts.ts'
import { defaultMethod } from '../shared-fields/default-method.ts'
import { JOB, jobFound } from '../shared-fields/fields.ts'
import { keptMethod } from '../shared-fields/kept-method.ts'
import { methodStatement as chosen, methodOf, NOTHING_CHOSEN, statementsIn } from '../statements/chosen.ts'
import { methodProblems } from './completeness.ts'
import { methodForm } from './form.ts'
import { methodInfo } from './method-info.ts'
import { methodPdf } from './pdf-body.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Fields that a method statement takes from its risk assessment (safety specification, section 4): the job's details,
 * emergency contacts, method content, and the assessment itself as a reference.
 */
function takenFrom(assessment: Values, begun: Values): Values {
  const job = ['description', 'industry', contactsField.name, ...JOB].map((name) => [name, assessment[name]])
  const method = methodOf(assessment.methodStatement)
  const { defaultStatements } = methodOf(begun.methodStatement)
  return {
    ...Object.fromEntries(job),
    methodStatement: statementsIn(method).length ? method : { ...method, defaultStatements },
    associated: [{ target: iriOf(document, Number(assessment.id)), file: null, notes: '' }],
    riskAssessment: assessment['@id'],
    riskDocumentNumber: assessment.documentNumber,
  }
}

/** Method statement: how a job is done safely, step by step, with people, plant and emergency arrangements. */
export const methodStatement = documentKind({
  ...methodInfo,
  type: 'MethodStatement',
  path: 'method_statements',
  prefix: 'MS',
  title: { field: 'description', label: 'Description', required: 'Please enter the job' },
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
