import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** Event: a support ticket was created and a help desk is set up. */
export const ticketCreated = defineEvent({
  kind: 'support.asked',
  version: 1,
  payload: z.object({ ticket: z.int() }),
})
