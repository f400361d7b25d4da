import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'
import { isEmailSubject } from '#kernel/resource.ts'

/**
 * Event: an e-mail is to be sent. For the portal's own e-mails, `composeEmail` sets the subject, body and template. An
 * attachment is the ID of a stored file or, in old events, base64-encoded data.
 */
export const emailRequested = defineEvent({
  kind: 'mail',
  version: 1,
  payload: z.object({
    to: z.string(),
    subject: z.string(),
    body: z.string(),
    /** True if the e-mail contains a secret link. The e-mail is then stored without its body. */
    confidential: z.boolean().default(false),
    template: z.string().default(''),
    /**
     * Type and subject of the secret link that replaces `SECRET_LINK_PLACEHOLDER`; the link is created when the e-mail is
     * sent.
     */
    link: z.object({ kind: z.string(), about: z.record(z.string(), z.union([z.string(), z.number()])) }).optional(),
    author: z.string().default(''),
    /**
     * Sender's name and reply address, for e-mails that a client sends to its own customers. Without them, the portal
     * is the sender.
     */
    from: z.object({ name: z.string(), replyTo: z.string() }).optional(),
    /**
     * Address of the record that the e-mail is about; empty if there is none. The record shows the e-mail's delivery
     * status, and its readers may read the e-mail. Its resource declares `emails`.
     */
    about: z.string().refine(isEmailSubject, 'No resource with this address states `emails`').default(''),
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

/** Error of a stopped marketing e-mail whose recipient's consent is missing or was withdrawn after it was queued. */
export const NO_CONSENT_ERROR = 'They have not consented to marketing'

/** Event: stored e-mails are to be sent in the given order. Contains their IDs, at most a hundred. */
export const emailsDue = defineEvent({
  kind: 'mail.due',
  version: 1,
  payload: z.object({ messages: z.array(z.int()) }),
})

/**
 * Event: a mail server has accepted an e-mail about a record. A record is marked as sent only then, never when its
 * e-mail is queued.
 */
export const emailAccepted = defineEvent({
  kind: 'mail.accepted',
  version: 1,
  payload: z.object({ about: z.string(), template: z.string(), sentAt: z.string() }),
})

/** Attachment of a stored e-mail, either inline or stored as a file. */
export const queuedEmailAttachment = z.object({
  filename: z.string(),
  contentType: z.string(),
  file: z.int().optional(),
  base64: z.string().optional(),
  key: z.string().optional(),
})
export type QueuedEmailAttachment = z.output<typeof queuedEmailAttachment>

/**
 * Builds the IRI of an e-mail. The resource is declared in the leads module, because an e-mail may be addressed to a
 * lead.
 */
export const emailMessageIri = (id: number): string => `/api/email/messages/${id}`
