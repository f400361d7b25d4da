import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** A letter that is to be sent. Attached files are base64. */
export const letter = defineEvent({
  kind: 'mail',
  version: 1,
  payload: z.object({
    to: z.string(),
    subject: z.string(),
    body: z.string(),
    /** Holds a secret link: the portal keeps it without its body. */
    confidential: z.boolean().default(false),
    template: z.string().default(''),
    author: z.string().default(''),
    attachments: z.array(z.object({ filename: z.string(), contentType: z.string(), base64: z.string() })).default([]),
  }),
})

export type Letter = z.output<typeof letter.payload>
