import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** Stands in a letter's words where its secret link will be. */
export const LINK = '{{secret link}}'

/** Stands in a letter's subject and words where the portal's name will be, as its reader knows it. */
export const PORTAL = '{{portal name}}'

/** A name as a letter says it: what a mail program would make a link of is words. */
export const nameInLetter = (name: string): string => name.replace(/[:/\\@]+|\.(?=\S)/g, ' ')

/** A letter that is to be sent. An attached file is the number of one that is kept, or, in letters of older portals, base64. */
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
    /** The secret link that stands where the words say `LINK`, made when the letter goes out. */
    link: z.object({ kind: z.string(), about: z.record(z.string(), z.union([z.string(), z.number()])) }).optional(),
    author: z.string().default(''),
    /** In whose name it goes, where that is not the portal's: a client's who writes to customers of its own, who answer to it. */
    from: z.object({ name: z.string(), replyTo: z.string() }).optional(),
    /** The record that it is about, as the API names it: what became of the letter is told beside it. */
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

export type Letter = z.output<typeof letter.payload>

/** Letters that stand in the portal whole, by their numbers, and are to be sent: at most a hundred, one after the other. */
export const lettersDue = defineEvent({
  kind: 'mail.due',
  version: 1,
  payload: z.object({ messages: z.array(z.int()) }),
})

/** What a kept letter's files are: those of the letter itself, or of the file store. */
export const letterFile = z.object({
  filename: z.string(),
  contentType: z.string(),
  file: z.int().optional(),
  base64: z.string().optional(),
  key: z.string().optional(),
})
export type LetterFile = z.output<typeof letterFile>

/** Where a letter stands. Its declaration is that of the leads, which it may be to. */
export const messageIri = (id: number): string => `/api/email/messages/${id}`
