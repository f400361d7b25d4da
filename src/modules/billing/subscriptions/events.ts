import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** Emitted when the applications that a customer's subscriptions give access to may have changed. */
export const subscriptionsChanged = defineEvent({
  kind: 'subscriptions.moved',
  version: 1,
  payload: z.object({ customer: z.int() }),
})
