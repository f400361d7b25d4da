import type { FormSchema } from '#kernel/forms/schema.ts'
import { contractGroup, EACH_SITE, placeFields } from '../shared-fields/fields.ts'
import { ramsInfo } from './rams-info.ts'

/** Pack details: the job, its customer and notes for recipients. */
export const ramsForm: FormSchema = {
  title: ramsInfo.name,
  steps: [
    {
      name: 'job',
      title: 'The job',
      help: 'Which job the papers are for. A pack that is begun from a method statement or an assessment has this from there.',
      groups: [
        {
          fields: [
            {
              name: 'description',
              kind: 'text',
              label: 'What is the pack for?',
              required: true,
              max: 500,
              help: 'The job in a few words: "Replacing roof sheets at Unit 4". It is the title of the pack.',
            },
            ...placeFields,
          ],
        },
        contractGroup,
      ],
    },
    {
      name: 'papers',
      title: 'Papers',
      help: 'Exact revisions, in the order in which they are printed. What they refer to themselves goes behind them.',
      groups: [{ fields: [{ name: 'papers', kind: 'custom', label: 'Papers' }] }],
    },
    {
      name: 'site',
      title: 'On site',
      help: 'What whoever opens the pack has to know first.',
      groups: [
        {
          fields: [
            {
              name: 'supervisor',
              kind: 'text',
              label: 'Who is in charge on site?',
              required: true,
              confirm: true,
              placeholder: EACH_SITE,
              width: 6,
            },
            { name: 'telephone', kind: 'text', label: 'Their telephone', confirm: true, width: 6 },
            { name: 'notes', kind: 'longText', label: 'To whoever receives it', max: 2000 },
          ],
        },
      ],
    },
  ],
}
