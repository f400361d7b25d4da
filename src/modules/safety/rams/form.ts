import type { FormSchema } from '#kernel/forms/schema.ts'
import { contractGroup, EACH_SITE_TEXT, placeFields } from '../shared-fields/fields.ts'
import { ramsInfo } from './rams-info.ts'

/** Pack details: the job, its customer and notes for recipients. */
export const ramsForm: FormSchema = {
  title: ramsInfo.name,
  steps: [
    {
      name: 'job',
      title: 'The job',
      help: 'The job the documents are for. A pack started from a method statement or an assessment takes it from there.',
      groups: [
        {
          fields: [
            {
              name: 'description',
              kind: 'text',
              label: 'What is the pack for?',
              required: true,
              max: 500,
              help: 'The job in a few words, such as "Replacing roof sheets at Unit 4". It becomes the title of the pack.',
            },
            ...placeFields,
          ],
        },
        contractGroup,
      ],
    },
    {
      name: 'papers',
      title: 'Documents',
      help: 'Exact revisions, in printing order. Documents they refer to are added after them.',
      groups: [{ fields: [{ name: 'papers', kind: 'custom', label: 'Documents' }] }],
    },
    {
      name: 'site',
      title: 'On site',
      help: 'What recipients must know first.',
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
            { name: 'telephone', kind: 'text', label: 'Supervisor’s telephone', confirm: true, width: 6 },
            { name: 'notes', kind: 'longText', label: 'Note to recipients', max: 2000 },
          ],
        },
      ],
    },
  ],
}
