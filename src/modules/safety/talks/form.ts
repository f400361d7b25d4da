import type { FormSchema } from '#kernel/forms/schema.ts'
import { talkInfo } from './talk-info.ts'

/** What a toolbox talk consists of: a title, why it matters, and points that can be said aloud in ten minutes. */
export const talkForm: FormSchema = {
  title: talkInfo.name,
  steps: [
    {
      name: 'talk',
      title: 'The talk',
      help: 'Write it as you would say it. Seven points are enough: people remember what they have heard once.',
      groups: [
        {
          fields: [
            { name: 'title', kind: 'text', label: 'Title', required: true, max: 255 },
            { name: 'introduction', kind: 'richText', label: 'Why it matters' },
            {
              name: 'points',
              kind: 'rows',
              label: 'Points to make',
              required: true,
              add: 'Add a point',
              max: 30,
              fields: [{ name: 'text', kind: 'longText', label: 'Point', required: true, max: 1000 }],
            },
          ],
        },
      ],
    },
    {
      name: 'files',
      title: 'Pictures and files',
      groups: [{ fields: [{ name: 'uploadedDocuments', kind: 'uploads', label: 'Pictures to show' }] }],
    },
  ],
}
