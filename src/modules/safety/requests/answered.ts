import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** A company has answered a request with a pack of its own: what it is to have written down of that. */
export const requestAnswered = defineEvent({
  kind: 'rams-request.answered',
  version: 1,
  payload: z.object({
    clientId: z.int(),
    document: z.int(),
    /** Who asked. */
    to: z.string(),
    message: z.string(),
    checksum: z.string(),
    sentAt: z.string(),
    by: z.object({ userId: z.int(), clientId: z.int(), username: z.string(), name: z.string() }),
  }),
})
