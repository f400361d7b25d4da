import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** A form was filled in, and by which user of the company: usernames change. */
export const formFilledIn = defineEvent({
  kind: 'custom-form.filled-in',
  version: 2,
  payload: z.object({ answer: z.int(), by: z.int().nullable() }),
  upgrade: { 1: (older) => ({ ...(older as { answer: number }), by: null }) },
})
