import type { FormSchema } from '#kernel/forms/schema.ts'
import { personsAffectedField } from '../shared-fields/fields.ts'
import { coshhInfo } from './coshh-info.ts'

/** Placeholder in templates where the answer depends on the site. */
export const COSHH_SITE_PLACEHOLDER = 'To be completed for each site'

const GROUPS = [
  'Employees',
  'Contractors',
  'Cleaners',
  'Visitors',
  'Members of the public',
  'People with asthma or allergies',
  'Lone workers',
  'Residents or service users',
]

const FREQUENCIES = [
  'Continuously',
  'Several times a day',
  'Daily',
  'Weekly',
  'Monthly',
  'Occasionally',
  'In emergencies only',
]

const DURATIONS = ['Under 15 minutes', '15 minutes to an hour', '1 to 4 hours', 'Over 4 hours']

/** Kinds of control, most effective first: from eliminating the substance to protecting individuals. */
export const COSHH_CONTROL_HIERARCHY = [
  { value: 'eliminate', label: 'Eliminate' },
  { value: 'substitute', label: 'Substitute' },
  { value: 'enclose', label: 'Enclose or change the process' },
  { value: 'extraction', label: 'Local exhaust ventilation' },
  { value: 'ventilation', label: 'General ventilation' },
  { value: 'limit', label: 'Limit the number of people and the exposure time' },
  { value: 'methods', label: 'Safe working methods and hygiene' },
  { value: 'training', label: 'Training and information' },
  { value: 'monitoring', label: 'Monitoring' },
] as const

const words = (all: readonly string[]) => all.map((value) => ({ value, label: value }))
const YES_NO = [
  { value: 'no', label: 'No' },
  { value: 'yes', label: 'Yes' },
]

/** Conclusions on whether exposure is adequately controlled (COSHH Regulations 2002, regulations 6 and 7). */
export const COSHH_CONCLUSIONS = [
  { value: 'yes', label: 'Yes, exposure is adequately controlled' },
  { value: 'actions', label: 'Only once the actions below are done' },
  { value: 'no', label: 'No: the work must not start' },
] as const

const when = (watch: string) => [{ watch, equals: 'yes' }]

/** Form of a COSHH assessment: the task, then the substances, people and controls. */
export const coshhForm: FormSchema = {
  title: coshhInfo.name,
  steps: [
    {
      name: 'task',
      title: 'The task',
      help: 'Start with what people do, not with the data sheet: a product that is sprayed poses different risks from one that is brushed on.',
      groups: [
        {
          fields: [
            {
              name: 'name',
              kind: 'text',
              label: 'What is the task?',
              required: true,
              max: 500,
              help: 'In a few words: "Cleaning brushes with thinners", "Bleaching hair". This is the title of the document.',
            },
            {
              name: 'process',
              kind: 'longText',
              label: 'How is it done?',
              required: true,
              max: 5000,
              help: 'Step by step, including how the substance is poured, mixed, heated, sprayed or cleaned up.',
            },
            {
              name: 'location',
              kind: 'text',
              label: 'Where',
              required: true,
              confirm: true,
              placeholder: COSHH_SITE_PLACEHOLDER,
              width: 6,
            },
            {
              name: 'frequency',
              kind: 'select',
              label: 'How often',
              required: true,
              options: words(FREQUENCIES),
              width: 6,
            },
            {
              name: 'duration',
              kind: 'select',
              label: 'How long each time',
              required: true,
              options: words(DURATIONS),
              width: 6,
            },
          ],
        },
      ],
    },
    {
      name: 'substances',
      title: 'Substances',
      help: 'List everything hazardous to health that the work uses or gives off, including dust and fume. State the amount used each time, because COSHH Essentials derives the control approach from it. Confirm that approach, or choose another and give a reason.',
      groups: [
        {
          fields: [
            {
              name: 'substances',
              kind: 'custom',
              label: 'Substances',
              required: true,
              also: ['equipmentNotes', 'storage', 'disposal', 'firstAid'],
            },
          ],
        },
      ],
    },
    {
      name: 'people',
      title: 'People',
      help: 'Enter who does the work and who is nearby. Some people are harmed by exposure that others tolerate.',
      groups: [
        {
          fields: [
            {
              name: 'groupsAffected',
              kind: 'combobox',
              label: 'Who is exposed?',
              required: true,
              confirm: true,
              options: words(GROUPS),
              max: 5,
            },
            personsAffectedField,
          ],
        },
        {
          title: 'People who need more protection',
          fields: [
            {
              name: 'expectant',
              kind: 'select',
              label: 'New or expectant mothers?',
              required: true,
              confirm: true,
              options: YES_NO,
              width: 6,
            },
            {
              name: 'expectantMeasures',
              kind: 'longText',
              label: 'Measures for expectant mothers',
              required: true,
              max: 2000,
              when: when('expectant'),
            },
            {
              name: 'young',
              kind: 'select',
              label: 'Young workers under 18?',
              required: true,
              confirm: true,
              options: YES_NO,
              width: 6,
            },
            {
              name: 'youngMeasures',
              kind: 'longText',
              label: 'Measures for young workers',
              required: true,
              max: 2000,
              when: when('young'),
            },
          ],
        },
      ],
    },
    {
      name: 'controls',
      title: 'Controls',
      help: 'Start at the top of the hierarchy of control: removing the substance protects everybody, but protective equipment protects only its wearer.',
      groups: [
        {
          fields: [
            {
              name: 'measures',
              kind: 'rows',
              label: 'Controls in place',
              required: true,
              add: 'Add a control',
              max: 40,
              fields: [
                {
                  name: 'tier',
                  kind: 'select',
                  label: 'Control type',
                  required: true,
                  options: COSHH_CONTROL_HIERARCHY,
                  width: 4,
                },
                { name: 'text', kind: 'longText', label: 'Description', required: true, max: 1000, width: 8 },
              ],
            },
          ],
        },
        {
          title: 'Local exhaust ventilation',
          help: 'Local exhaust ventilation must be thoroughly examined at least every 14 months (COSHH Regulations 2002, regulation 9).',
          fields: [
            {
              name: 'lev',
              kind: 'select',
              label: 'Is local exhaust ventilation used?',
              required: true,
              options: YES_NO,
              width: 6,
            },
            {
              name: 'levExamined',
              kind: 'date',
              label: 'Last thorough examination',
              required: true,
              width: 6,
              when: when('lev'),
            },
            { name: 'levExaminer', kind: 'text', label: 'Examined by', width: 6, when: when('lev') },
          ],
        },
      ],
    },
    {
      name: 'ppe',
      title: 'Protective equipment',
      help: 'Protective equipment is the last line of defence. It must be suitable for these substances, worn, kept clean and, if tight-fitting on the face, face-fit tested.',
      groups: [
        {
          fields: [
            { name: 'worn', kind: 'custom', label: 'PPE required' },
            {
              name: 'equipmentNotes',
              kind: 'longText',
              label: 'Types of glove and filter, and when to change them',
              max: 2000,
            },
          ],
        },
      ],
    },
    {
      name: 'health',
      title: 'Health and emergencies',
      groups: [
        {
          title: 'Exposure monitoring',
          help: 'Exposure must be measured where health could be harmed if a control fails or a limit is exceeded without anybody noticing, unless another way shows that exposure is controlled (COSHH Regulations 2002, regulation 10).',
          fields: [
            {
              name: 'monitoring',
              kind: 'select',
              label: 'Is exposure monitoring needed?',
              required: true,
              options: YES_NO,
              width: 6,
            },
            {
              name: 'monitoringReason',
              kind: 'longText',
              label: 'Why, and what is measured, by whom and how often',
              required: true,
              max: 2000,
            },
          ],
        },
        {
          title: 'Health surveillance',
          help: 'Needed where a disease or effect is linked to the substance, can occur in this work and can be detected (COSHH Regulations 2002, regulation 11): often for sensitisers, carcinogens and mutagens.',
          fields: [
            {
              name: 'surveillance',
              kind: 'select',
              label: 'Is health surveillance needed?',
              required: true,
              options: YES_NO,
              width: 6,
            },
            {
              name: 'surveillanceDetails',
              kind: 'longText',
              label: 'What is checked, by whom and how often',
              required: true,
              max: 2000,
              when: when('surveillance'),
            },
          ],
        },
        {
          title: 'Storage and disposal',
          fields: [
            { name: 'storage', kind: 'longText', label: 'Storage', required: true, max: 2000 },
            { name: 'disposal', kind: 'longText', label: 'Disposal', required: true, max: 2000 },
          ],
        },
        {
          title: 'Emergencies',
          fields: [
            { name: 'firstAid', kind: 'longText', label: 'First aid', required: true, max: 3000 },
            { name: 'fire', kind: 'longText', label: 'Fire', required: true, max: 2000 },
            { name: 'spillage', kind: 'longText', label: 'Spillage', required: true, max: 2000 },
            { name: 'emergency', kind: 'longText', label: 'Other emergencies', max: 2000 },
            { name: 'emergencyContact', kind: 'emergencyContacts', label: 'Emergency contacts', confirm: true },
          ],
        },
      ],
    },
    {
      name: 'conclusion',
      title: 'Conclusion and actions',
      help: 'Control is adequate if good practice is followed and exposure is below any limit; for carcinogens, mutagens and asthmagens, as low as is reasonably practicable (COSHH Regulations 2002, regulations 6 and 7).',
      groups: [
        {
          fields: [
            {
              name: 'adequate',
              kind: 'select',
              label: 'Is exposure adequately controlled?',
              required: true,
              options: COSHH_CONCLUSIONS,
            },
            {
              name: 'adequateReason',
              kind: 'longText',
              label: 'Reasons for this conclusion',
              required: true,
              max: 3000,
            },
            {
              name: 'actions',
              kind: 'rows',
              label: 'Actions',
              add: 'Add an action',
              max: 40,
              fields: [
                { name: 'text', kind: 'longText', label: 'Action', required: true, max: 1000, width: 6 },
                { name: 'owner', kind: 'person', label: 'Person responsible', required: true, max: 200, width: 3 },
                { name: 'due', kind: 'date', label: 'Due', required: true, width: 3 },
              ],
            },
          ],
        },
      ],
    },
    {
      name: 'files',
      title: 'Pictures and files',
      groups: [{ fields: [{ name: 'uploadedDocuments', kind: 'uploads', label: 'Photographs and files' }] }],
    },
  ],
}
