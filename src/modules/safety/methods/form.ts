import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { jobContactsField } from '../shared-fields/contacts.ts'
import {
  COMPLETED_FOR_EACH_SITE_TEXT,
  contractGroup,
  equipmentField,
  firstAiderField,
  jobLocationFields,
} from '../shared-fields/fields.ts'
import { methodStatementInfo } from './method-info.ts'

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

/** Fields of a step. Only the title is required. */
const stepFields: readonly FormField[] = [
  { name: 'title', kind: 'text', label: 'What is done', required: true },
  { name: 'text', kind: 'longText', label: 'How it is done safely', max: 4000 },
  { name: 'responsible', kind: 'person', label: 'Who does it', width: 6 },
  { name: 'pictures', kind: 'uploads', label: 'Pictures of this step' },
]

/**
 * Form of a method statement (safety specification, section 3). The fields are in the order in which a job is planned.
 */
export const methodStatementForm: FormSchema = {
  title: methodStatementInfo.name,
  steps: [
    {
      name: 'job',
      title: 'The job',
      help: 'Enter the work, the place and the client. A method statement started from a risk assessment copies these details from the assessment.',
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
            ...jobLocationFields,
          ],
        },
        contractGroup,
      ],
    },
    {
      name: 'sequence',
      title: 'Sequence of work',
      help: 'List the steps in the order of work, from arriving on site to leaving. The steps are read on site, so use short sentences, and pictures where they help.',
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
      help: 'List the plant brought to site and the permits required before work starts.',
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
                { name: 'issuer', kind: 'person', label: 'Issued by', width: 6 },
              ],
            },
          ],
        },
      ],
    },
    {
      name: 'people',
      title: 'People and tickets',
      help: 'List the people who do the work, the site supervisor, and proof of their competence.',
      groups: [
        {
          fields: [
            {
              name: 'supervisor',
              kind: 'person',
              label: 'Site supervisor',
              required: true,
              confirm: true,
              placeholder: COMPLETED_FOR_EACH_SITE_TEXT,
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
                { name: 'name', kind: 'person', label: 'Name', required: true, width: 6 },
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
      help: 'Enter what people do and whom they call in an emergency. Plan the rescue before the work starts.',
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
