import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** A form was filled in. */
export const formFilledIn = defineEvent({
  kind: 'custom-form.filled-in',
  version: 1,
  payload: z.object({ answer: z.int() }),
})
