import { employeeFieldOf } from '#kernel/forms/fields-in.ts'
import { iriOf } from '#kernel/resource.ts'
import { document } from '#modules/documents/types/document.ts'
import { defineDocumentKind } from '#modules/documents/types/kind.ts'
import { associatedRiskAssessmentsField, riskAssessment } from '../risk/risk-assessment.ts'
import { createEmptyJobContacts, jobContactsField } from '../shared-fields/contacts.ts'
import { firstAiderField, JOB_FIELD_NAMES, jobSearchFields } from '../shared-fields/fields.ts'
import { methodStatementFieldRules } from '../shared-fields/stored-method.ts'
import {
  methodStatementField as chosen,
  EMPTY_METHOD_STATEMENT,
  loadDefaultMethodStatement,
  parseMethodStatement,
  statementsInMethodStatement,
} from '../statements/method-statement.ts'
import { methodStatementCompletionProblems } from './completeness.ts'
import { methodStatementForm } from './form.ts'
import { methodStatementInfo } from './method-info.ts'
import { toMethodStatementPdfInput } from './pdf-body.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Returns the values that a method statement copies from its risk assessment (safety specification, section 4): the
 * job's details, the emergency contacts, the method content and a reference to the assessment.
 */
function methodFromAssessment(assessment: Values, begun: Values): Values {
  const names = ['description', 'industry', jobContactsField.name, ...JOB_FIELD_NAMES, employeeFieldOf(firstAiderField)]
  const job = names.map((name) => [name, assessment[name]])
  const method = parseMethodStatement(assessment.methodStatement)
  const { defaultStatements } = parseMethodStatement(begun.methodStatement)
  return {
    ...Object.fromEntries(job),
    methodStatement: statementsInMethodStatement(method).length ? method : { ...method, defaultStatements },
    associated: [{ target: iriOf(document, Number(assessment.id)), file: null, notes: '' }],
    riskAssessment: assessment['@id'],
    riskDocumentNumber: assessment.documentNumber,
  }
}

/** Method statement: how a job is done safely, step by step. Includes people, plant and emergency arrangements. */
export const methodStatement = defineDocumentKind({
  ...methodStatementInfo,
  type: 'MethodStatement',
  path: 'method_statements',
  prefix: 'MS',
  title: { field: 'description', label: 'Description', required: 'Please describe the job' },
  schema: methodStatementForm,
  fields: { methodStatement: chosen },
  kept: { methodStatement: methodStatementFieldRules },
  fieldOptions: jobSearchFields,
  references: {
    associated: {
      ...associatedRiskAssessmentsField,
      first: { source: 'riskAssessment', number: 'riskDocumentNumber' },
    },
  },
  sources: () => ({ riskAssessment }),
  begunFrom: ({ source, begun }) => (source ? methodFromAssessment(source.record, begun) : {}),
  begun: { methodStatement: loadDefaultMethodStatement },
  reviewMonths: 12,
  pdf: { template: 'src/modules/safety/methods/method-statement.typ', body: toMethodStatementPdfInput },
  problems: methodStatementCompletionProblems,
  confirms: ['sequence', 'methodStatement', 'plant', 'permits', 'equipment'],
  blank: () => ({
    sequence: [],
    plant: [],
    permits: [],
    people: [],
    emergencyContact: createEmptyJobContacts(),
    methodStatement: EMPTY_METHOD_STATEMENT,
    associated: [],
    uploadedDocuments: [],
  }),
})
