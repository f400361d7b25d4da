import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** Something is to be done today to collect an invoice. */
export const dunningDue = defineEvent({
  kind: 'dunning.due',
  version: 1,
  payload: z.object({ invoice: z.int() }),
})
