import { iriOf } from '#kernel/resource.ts'
import { document } from '#modules/documents/types/document.ts'
import { contactsField } from '../shared-fields/contacts.ts'
import { JOB } from '../shared-fields/fields.ts'
import { methodOf, statementsIn } from '../statements/chosen.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * What a method statement takes from the assessment that it is begun from (safety specification, section 4): the job's details,
 * whom to ring, what the assessment says of the method already, and the assessment itself as what goes with it.
 */
export function takenFrom(assessment: Values, begun: Values): Values {
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
