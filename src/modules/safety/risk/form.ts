import type { FormSchema } from '#kernel/forms/schema.ts'
import { jobContactsField } from '../shared-fields/contacts.ts'
import {
  contractGroup,
  equipmentField,
  firstAiderField,
  jobLocationFields,
  personsAffectedField,
} from '../shared-fields/fields.ts'
import { riskAssessmentInfo } from './risk-info.ts'

const GROUPS = [
  'Employees',
  'Contractors',
  'Visitors',
  'Members of the public',
  'Young people under 18',
  'New and expectant mothers',
  'Lone workers',
  'People with a disability',
  'Night workers',
  'Service users',
]

/**
 * Form of a risk assessment (safety specification, section 3). The fields are in the order in which an assessment is
 * written.
 */
export const riskAssessmentForm: FormSchema = {
  title: riskAssessmentInfo.name,
  steps: [
    {
      name: 'details',
      title: 'The work',
      help: 'Describe the work so that someone who has never seen the place understands it.',
      groups: [
        {
          fields: [
            {
              name: 'description',
              kind: 'text',
              label: 'What is being assessed?',
              required: true,
              max: 500,
              help: 'The task or place in a few words, such as "Roof repairs at Unit 4" or "Moving residents with a hoist". This text becomes the title of the document.',
            },
            ...jobLocationFields,
            equipmentField,
          ],
        },
        contractGroup,
      ],
    },
    {
      name: 'people',
      title: 'People at risk',
      help: 'Include everyone who could be harmed, even passers-by. Some people need more protection than others.',
      groups: [
        {
          fields: [
            {
              name: 'groupsAffected',
              kind: 'combobox',
              label: 'Who might be harmed?',
              required: true,
              confirm: true,
              options: GROUPS.map((value) => ({ value, label: value })),
              max: 5,
            },
            personsAffectedField,
            firstAiderField,
            { name: 'note', kind: 'richText', label: 'Notes on people at risk', confirm: true },
          ],
        },
      ],
    },
    {
      name: 'hazards',
      title: 'Hazards and controls',
      help: 'List what could cause harm and rate the initial risk, then enter the controls and rate the residual risk. Prefer controls that remove the hazard to those that only protect the person.',
      groups: [{ fields: [{ name: 'controls', kind: 'custom', label: 'Hazards', required: true }] }],
    },
    {
      name: 'ppe',
      title: 'PPE',
      help: 'PPE is the last resort: it protects only the wearer, and only while it is worn.',
      groups: [
        {
          fields: [{ name: 'ppe', kind: 'custom', label: 'PPE required', also: ['ppeItems'] }],
        },
      ],
    },
    {
      name: 'method',
      title: 'Method statement',
      help: 'Describe how the work is done safely, step by step, and whom to call if something goes wrong.',
      groups: [
        { fields: [{ name: 'methodStatement', kind: 'custom', label: 'Statements and sequence of work' }] },
        {
          title: 'In an emergency',
          fields: [jobContactsField],
        },
      ],
    },
    {
      name: 'files',
      title: 'Linked documents and files',
      groups: [
        { fields: [{ name: 'uploadedDocuments', kind: 'uploads', label: 'Photographs, drawings, data sheets' }] },
        { fields: [{ name: 'associated', kind: 'custom', label: 'Associated Risk Assessments' }] },
        { fields: [{ name: 'coshh', kind: 'custom', label: 'Associated COSHH Assessments' }] },
      ],
    },
  ],
}
