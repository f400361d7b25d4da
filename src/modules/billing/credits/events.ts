import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** A credit note was issued; IDs are of the event's client. */
export const creditIssued = defineEvent({
  kind: 'credit-note.issued',
  version: 1,
  payload: z.object({ creditNote: z.int(), number: z.string(), invoice: z.int() }),
})
