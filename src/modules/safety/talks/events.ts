import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** Event: a talk record was started, deleted or restored. */
export const talkRecordedEvent = defineEvent({
  kind: 'talk.recorded',
  version: 1,
  payload: z.object({ presented: z.int() }),
})

/** Event: a talk record was closed, or an attendee signed it late. */
export const talkAttendedEvent = defineEvent({
  kind: 'talk.attended',
  version: 1,
  payload: z.object({ presented: z.int() }),
})
