import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** Event: the record of a talk was started, deleted or restored. */
export const talkRecordedEvent = defineEvent({
  kind: 'talk.recorded',
  version: 1,
  payload: z.object({ presented: z.int() }),
})
