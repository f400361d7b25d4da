import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** Placeholder for the secret link in an e-mail's text. */
export const LINK_PLACEHOLDER = '{{secret link}}'

/** Placeholder for the portal's name in an e-mail's subject and text, under the brand that the recipient knows. */
export const PORTAL_NAME_PLACEHOLDER = '{{portal name}}'

/** Makes a name safe for e-mails, so that mail programs don't turn it into a link. */
export const sanitiseNameForEmail = (name: string): string => name.replace(/[:/\\@]+|\.(?=\S)/g, ' ')

/** Event: an e-mail is to be sent. An attachment is the ID of a stored file or, in old events, base64 data. */
export const emailRequested = defineEvent({
  kind: 'mail',
  version: 1,
  payload: z.object({
    to: z.string(),
    subject: z.string(),
    body: z.string(),
    /** True if the e-mail contains a secret link: it is then stored without its body. */
    confidential: z.boolean().default(false),
    template: z.string().default(''),
    /** The secret link that replaces `LINK_PLACEHOLDER`, created when the e-mail is sent. */
    link: z.object({ kind: z.string(), about: z.record(z.string(), z.union([z.string(), z.number()])) }).optional(),
    author: z.string().default(''),
    /** Sender, if not the portal: a client that writes to its own customers, with its reply address. */
    from: z.object({ name: z.string(), replyTo: z.string() }).optional(),
    /** IRI of the record that the e-mail is about, which shows the delivery status. */
    about: z.string().default(''),
    attachments: z
      .array(
        z.object({
          filename: z.string(),
          contentType: z.string(),
          file: z.int().optional(),
          base64: z.string().optional(),
        }),
      )
      .default([]),
  }),
})

export type EmailRequest = z.output<typeof emailRequested.payload>

/** Event: stored e-mails, by ID, are to be sent in order, at most a hundred. */
export const emailsDue = defineEvent({
  kind: 'mail.due',
  version: 1,
  payload: z.object({ messages: z.array(z.int()) }),
})

/** Attachment of a stored e-mail, either inline or in the file store. */
export const queuedEmailAttachment = z.object({
  filename: z.string(),
  contentType: z.string(),
  file: z.int().optional(),
  base64: z.string().optional(),
  key: z.string().optional(),
})
export type QueuedEmailAttachment = z.output<typeof queuedEmailAttachment>

/** Builds the IRI of an e-mail. Its resource is declared with the leads, as it may be addressed to one. */
export const messageIri = (id: number): string => `/api/email/messages/${id}`
