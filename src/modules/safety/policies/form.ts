import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { policyInfo } from './policy-info.ts'

export const EACH_COMPANY_TEXT = 'To be completed by each company'

const ITEM = 'Item is required'

/** Function in the company, its holder and responsibilities. */
const functionFields: readonly FormField[] = [
  { name: 'function', kind: 'text', label: 'Function', required: true, message: ITEM, width: 6 },
  {
    name: 'person',
    kind: 'text',
    label: 'Person',
    required: true,
    message: ITEM,
    placeholder: EACH_COMPANY_TEXT,
    width: 6,
  },
  { name: 'responsibilities', kind: 'longText', label: 'Responsibilities', required: true, message: ITEM, max: 4000 },
]

/** Arrangement as copied from the library; `arrangement` is its address there. */
const arrangementFields: readonly FormField[] = [
  { name: 'arrangement', kind: 'text', label: 'Library entry' },
  { name: 'title', kind: 'text', label: 'Title', required: true, message: ITEM },
  { name: 'text', kind: 'richText', label: 'Arrangement', required: true, message: ITEM },
]

/** The three parts of a safety policy: statement of intent, organisation and arrangements. */
export const policyForm: FormSchema = {
  title: policyInfo.name,
  steps: [
    {
      name: 'intent',
      title: 'Statement of intent',
      help: 'What the company commits to, in plain words. The most senior person in the company signs it.',
      groups: [
        {
          fields: [
            { name: 'title', kind: 'text', label: 'Title', required: true, max: 255 },
            { name: 'intent', kind: 'richText', label: 'Statement of intent', required: true },
          ],
        },
        {
          title: 'Signed for the company by',
          fields: [
            {
              name: 'signatory',
              kind: 'text',
              label: 'Name',
              required: true,
              confirm: true,
              placeholder: EACH_COMPANY_TEXT,
              width: 6,
            },
            { name: 'jobTitle', kind: 'text', label: 'Job title', confirm: true, width: 6 },
          ],
        },
      ],
    },
    {
      name: 'organisation',
      title: 'Organisation',
      help: 'Who is responsible for safety: each function, its holder and their responsibilities.',
      groups: [
        {
          fields: [
            {
              name: 'organisation',
              kind: 'rows',
              label: 'Functions and responsibilities',
              required: true,
              add: 'Add function',
              max: 60,
              confirm: true,
              fields: functionFields,
            },
          ],
        },
      ],
    },
    {
      name: 'arrangements',
      title: 'Arrangements',
      help: 'How safety is managed: fire, first aid, accidents and any other subject your work requires.',
      groups: [
        {
          fields: [
            {
              name: 'arrangements',
              kind: 'rows',
              label: 'Arrangements',
              required: true,
              add: 'Add arrangement',
              max: 120,
              confirm: true,
              fields: arrangementFields,
            },
          ],
        },
      ],
    },
    {
      name: 'files',
      title: 'Files',
      groups: [{ fields: [{ name: 'uploadedDocuments', kind: 'uploads', label: 'Organisation chart, certificates' }] }],
    },
  ],
}
