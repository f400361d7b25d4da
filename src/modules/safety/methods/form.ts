import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { iriOf } from '#kernel/resource.ts'
import { document } from '#modules/documents/types/document.ts'
import { defineDocumentKind } from '#modules/documents/types/kind.ts'
import { associatedRisks, riskAssessment } from '../risk/risk-assessment.ts'
import { emptyContacts, jobContactsField } from '../shared-fields/contacts.ts'
import { loadDefaultMethod } from '../shared-fields/default-method.ts'
import {
  contractGroup,
  EACH_SITE_TEXT,
  equipmentField,
  firstAiderField,
  JOB_FIELD_NAMES,
  jobSearchFields,
  placeFields,
} from '../shared-fields/fields.ts'
import { methodStoredField } from '../shared-fields/kept-method.ts'
import {
  methodStatementField as chosen,
  EMPTY_METHOD_STATEMENT,
  readMethodStatement,
  statementsOf,
} from '../statements/chosen.ts'
import { methodCompletionProblems } from './completeness.ts'
import { methodInfo } from './method-info.ts'
import { methodPdfInput } from './pdf-body.ts'

const choices = (...all: readonly string[]) => all.map((value) => ({ value, label: value }))

const PERMITS = choices(
  'Hot work',
  'Confined space entry',
  'Excavation (permit to dig)',
  'Work at height',
  'Roof access',
  'Lifting operation',
  'Electrical isolation',
  'Work on live services',
  'Asbestos removal',
  'Demolition',
)

const TICKETS = choices(
  'CSCS',
  'SMSTS',
  'SSSTS',
  'CPCS',
  'NPORS',
  'IPAF',
  'PASMA',
  'CISRS',
  'First aid at work',
  'Asbestos awareness',
  'Manual handling',
  'Confined space',
  'Slinger and signaller',
  'ECS',
  'Gas Safe',
)

/** Fields of a step; only the title is required. */
const stepFields: readonly FormField[] = [
  { name: 'title', kind: 'text', label: 'What is done?', required: true },
  { name: 'text', kind: 'longText', label: 'How it is done safely', max: 4000 },
  { name: 'responsible', kind: 'text', label: 'Who does it?', width: 6 },
  { name: 'pictures', kind: 'uploads', label: 'Pictures of this step' },
]

/** Form of a method statement (safety specification, section 3), in the order in which a job is planned. */
export const methodForm: FormSchema = {
  title: methodInfo.name,
  steps: [
    {
      name: 'job',
      title: 'The job',
      help: 'Enter the work, the place and the client. A method statement started from a risk assessment takes these from it.',
      groups: [
        {
          fields: [
            {
              name: 'description',
              kind: 'text',
              label: 'What is the job?',
              required: true,
              max: 500,
              help: 'In a few words: "Replacing roof sheets at Unit 4". This is the title of the document.',
            },
            ...placeFields,
          ],
        },
        contractGroup,
      ],
    },
    {
      name: 'sequence',
      title: 'Sequence of work',
      help: 'The steps in working order, from arriving on site to leaving it. They are read on the job: use short sentences, and pictures where they help.',
      groups: [
        {
          fields: [
            {
              name: 'sequence',
              kind: 'rows',
              label: 'Steps',
              add: 'Add a step',
              max: 60,
              fields: stepFields,
            },
          ],
        },
      ],
    },
    {
      name: 'method',
      title: 'Tasks and statements',
      help: 'Reusable content: tasks from the library and standard statements.',
      groups: [{ fields: [{ name: 'methodStatement', kind: 'custom', label: 'Tasks and statements' }] }],
    },
    {
      name: 'plant',
      title: 'Plant and permits',
      help: 'Plant brought to the job, and the permits required before work starts.',
      groups: [
        {
          title: 'Plant and equipment',
          fields: [
            {
              name: 'plant',
              kind: 'rows',
              label: 'Plant',
              add: 'Add plant',
              max: 60,
              fields: [
                { name: 'name', kind: 'text', label: 'Plant or machine', required: true, width: 6 },
                { name: 'checks', kind: 'text', label: 'Inspection or certificate', width: 6 },
              ],
            },
            equipmentField,
          ],
        },
        {
          title: 'Permits to work',
          fields: [
            {
              name: 'permits',
              kind: 'rows',
              label: 'Permits',
              add: 'Add a permit',
              max: 20,
              fields: [
                { name: 'name', kind: 'autocomplete', label: 'Permit for', required: true, options: PERMITS, width: 6 },
                { name: 'issuer', kind: 'text', label: 'Who issues it?', width: 6 },
              ],
            },
          ],
        },
      ],
    },
    {
      name: 'people',
      title: 'People and tickets',
      help: 'The people who do the work, the person in charge, and proof of their competence.',
      groups: [
        {
          fields: [
            {
              name: 'supervisor',
              kind: 'text',
              label: 'Site supervisor',
              required: true,
              confirm: true,
              placeholder: EACH_SITE_TEXT,
              width: 6,
            },
            {
              name: 'people',
              kind: 'rows',
              label: 'People',
              add: 'Add a person',
              max: 60,
              confirm: true,
              fields: [
                { name: 'name', kind: 'text', label: 'Name', required: true, width: 6 },
                { name: 'role', kind: 'text', label: 'Role', width: 6 },
                { name: 'tickets', kind: 'combobox', label: 'Tickets', options: TICKETS, width: 6 },
                { name: 'expires', kind: 'date', label: 'Expires on', width: 6 },
              ],
            },
          ],
        },
      ],
    },
    {
      name: 'emergency',
      title: 'In an emergency',
      help: 'What people do and whom they call in an emergency. Plan the rescue before the work starts.',
      groups: [
        {
          title: 'Arrangements',
          fields: [
            {
              name: 'emergencyArrangements',
              kind: 'longText',
              label: 'Rescue, fire and spillage',
              max: 4000,
              confirm: true,
            },
            { name: 'assemblyPoint', kind: 'text', label: 'Assembly point', confirm: true, width: 6 },
            { name: 'hospital', kind: 'text', label: 'Nearest A&E', confirm: true, width: 6 },
            firstAiderField,
          ],
        },
        { title: 'Emergency contacts', fields: [jobContactsField] },
      ],
    },
    {
      name: 'files',
      title: 'Assessments and files',
      groups: [
        { fields: [{ name: 'associated', kind: 'custom', label: 'Associated Risk Assessments' }] },
        { fields: [{ name: 'uploadedDocuments', kind: 'uploads', label: 'Drawings, plans, certificates' }] },
      ],
    },
  ],
}

type Values = Readonly<Record<string, unknown>>

/**
 * Fields that a method statement takes from its risk assessment (safety specification, section 4): the job's details,
 * emergency contacts, method content, and the assessment itself as a reference.
 */
function methodFromAssessment(assessment: Values, begun: Values): Values {
  const job = ['description', 'industry', jobContactsField.name, ...JOB_FIELD_NAMES].map((name) => [
    name,
    assessment[name],
  ])
  const method = readMethodStatement(assessment.methodStatement)
  const { defaultStatements } = readMethodStatement(begun.methodStatement)
  return {
    ...Object.fromEntries(job),
    methodStatement: statementsOf(method).length ? method : { ...method, defaultStatements },
    associated: [{ target: iriOf(document, Number(assessment.id)), file: null, notes: '' }],
    riskAssessment: assessment['@id'],
    riskDocumentNumber: assessment.documentNumber,
  }
}

/** Method statement: how a job is done safely, step by step, with people, plant and emergency arrangements. */
export const methodStatement = defineDocumentKind({
  ...methodInfo,
  type: 'MethodStatement',
  path: 'method_statements',
  prefix: 'MS',
  title: { field: 'description', label: 'Description', required: 'Please enter the job' },
  schema: methodForm,
  fields: { methodStatement: chosen },
  kept: { methodStatement: methodStoredField },
  found: jobSearchFields,
  references: {
    associated: { ...associatedRisks, first: { source: 'riskAssessment', number: 'riskDocumentNumber' } },
  },
  sources: () => ({ riskAssessment }),
  begunFrom: ({ source, begun }) => (source ? methodFromAssessment(source.record, begun) : {}),
  begun: { methodStatement: loadDefaultMethod },
  reviewMonths: 12,
  pdf: { template: 'src/modules/safety/methods/method-statement.typ', body: methodPdfInput },
  problems: methodCompletionProblems,
  confirms: ['sequence', 'methodStatement', 'plant', 'permits', 'equipment'],
  blank: () => ({
    sequence: [],
    plant: [],
    permits: [],
    people: [],
    emergencyContact: emptyContacts(),
    methodStatement: EMPTY_METHOD_STATEMENT,
    associated: [],
    uploadedDocuments: [],
  }),
})
