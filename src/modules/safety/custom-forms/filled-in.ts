import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** Event: a form was completed. Identifies the user by ID, because usernames can change. */
export const formCompletedEvent = defineEvent({
  kind: 'custom-form.filled-in',
  version: 2,
  payload: z.object({ answer: z.int(), by: z.int().nullable() }),
  upgrade: { 1: (older) => ({ ...(older as { answer: number }), by: null }) },
})
