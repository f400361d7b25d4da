import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** Somebody has asked support, and there is a help desk that takes it. */
export const ticketAsked = defineEvent({
  kind: 'support.asked',
  version: 1,
  payload: z.object({ ticket: z.int() }),
})
