import type { FormSchema } from '#kernel/forms/schema.ts'
import { riskFace } from './risk-face.ts'

/** What a template says of the place. */
export const EACH_SITE = 'To be filled in for each site'

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

/** What a risk assessment asks for (safety specification, section 3), in the order in which one thinks. */
export const riskForm: FormSchema = {
  title: riskFace.name,
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
            { name: 'project', kind: 'text', label: 'Project', confirm: true, width: 6 },
            {
              name: 'location',
              kind: 'text',
              label: 'Location',
              required: true,
              confirm: true,
              placeholder: EACH_SITE,
              width: 6,
            },
            { name: 'siteAddress', kind: 'longText', label: 'Site address', confirm: true, max: 1000 },
            { name: 'startDate', kind: 'date', label: 'Starts on', confirm: true, width: 6 },
            { name: 'duration', kind: 'text', label: 'How long for?', confirm: true, width: 6 },
            { name: 'equipment', kind: 'longText', label: 'Equipment used' },
          ],
        },
        {
          title: 'The contract',
          fields: [
            { name: 'mainContractor', kind: 'text', label: 'Main contractor', confirm: true, width: 6 },
            { name: 'clientContact', kind: 'text', label: 'Client’s contact', confirm: true, width: 6 },
            { name: 'jobNumber', kind: 'text', label: 'Job number', confirm: true, width: 6 },
            { name: 'internalJobReference', kind: 'text', label: 'Our job reference', confirm: true, width: 6 },
          ],
        },
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
            {
              name: 'personsAffected',
              kind: 'number',
              label: 'How many people?',
              confirm: true,
              min: 0,
              max: 100_000,
              width: 6,
            },
            { name: 'firstAider', kind: 'text', label: 'First aider', confirm: true, width: 6 },
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
          fields: [{ name: 'emergencyContact', kind: 'emergencyContacts', label: 'Emergency contacts', confirm: true }],
        },
      ],
    },
    {
      name: 'files',
      title: 'Pictures and files',
      groups: [
        { fields: [{ name: 'uploadedDocuments', kind: 'uploads', label: 'Photographs, drawings, data sheets' }] },
        { fields: [{ name: 'associated', kind: 'custom', label: 'Associated Risk Assessments' }] },
      ],
    },
  ],
}
