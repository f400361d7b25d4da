import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** People may have been asked to sign a document, anew or for the first time: its revision in force. */
export const signOffAsked = defineEvent({
  kind: 'sign-off.asked',
  version: 1,
  payload: z.object({ document: z.int() }),
})
