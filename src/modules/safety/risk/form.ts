import type { FormSchema } from '#kernel/forms/schema.ts'
import { contactsField } from '../shared-fields/contacts.ts'
import { contractGroup, equipmentField, firstAiderField, personsField, placeFields } from '../shared-fields/fields.ts'
import { riskInfo } from './risk-info.ts'

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

/** Form of a risk assessment (safety specification, section 3), in working order. */
export const riskForm: FormSchema = {
  title: riskInfo.name,
  steps: [
    {
      name: 'details',
      title: 'The work',
      help: 'Say what is being assessed so that somebody who has never seen the place knows what you mean.',
      groups: [
        {
          fields: [
            {
              name: 'description',
              kind: 'text',
              label: 'What is being assessed?',
              required: true,
              max: 500,
              help: 'The task or place in a few words: "Roof repairs at Unit 4", "Moving residents with a hoist". It is the title of the document.',
            },
            ...placeFields,
            equipmentField,
          ],
        },
        contractGroup,
      ],
    },
    {
      name: 'people',
      title: 'People at risk',
      help: 'Name everybody who could be harmed, also those who are only passing. Some people need more protection than others.',
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
            personsField,
            firstAiderField,
            { name: 'note', kind: 'richText', label: 'Anything else about them', confirm: true },
          ],
        },
      ],
    },
    {
      name: 'hazards',
      title: 'Hazards and controls',
      help: 'List what could cause harm, judge it as it stands, then say what is done about it and judge again. Prefer controls that remove the hazard to those that only protect the person.',
      groups: [{ fields: [{ name: 'controls', kind: 'custom', label: 'Hazards', required: true }] }],
    },
    {
      name: 'ppe',
      title: 'Protective equipment',
      help: 'Equipment is the last line: it protects only the one who wears it, and only if it is worn.',
      groups: [
        {
          fields: [
            { name: 'ppe', kind: 'custom', label: 'Protective equipment that must be worn', also: ['ppeItems'] },
          ],
        },
      ],
    },
    {
      name: 'method',
      title: 'Method statement',
      help: 'How the work is done safely, step by step, and whom to ring when it goes wrong.',
      groups: [
        { fields: [{ name: 'methodStatement', kind: 'custom', label: 'Statements and sequence of work' }] },
        {
          title: 'In an emergency',
          fields: [contactsField],
        },
      ],
    },
    {
      name: 'files',
      title: 'Pictures and files',
      groups: [
        { fields: [{ name: 'uploadedDocuments', kind: 'uploads', label: 'Photographs, drawings, data sheets' }] },
        { fields: [{ name: 'associated', kind: 'custom', label: 'Associated Risk Assessments' }] },
        { fields: [{ name: 'coshh', kind: 'custom', label: 'Associated COSHH Assessments' }] },
      ],
    },
  ],
}
