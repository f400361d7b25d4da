import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** Event: people may have been asked to sign the revision in force, for the first time or again. */
export const signaturesRequestedEvent = defineEvent({
  kind: 'sign-off.asked',
  version: 1,
  payload: z.object({ document: z.int() }),
})
