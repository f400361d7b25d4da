import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** The applications opened by a customer's subscriptions may have changed. */
export const subscriptionsChanged = defineEvent({
  kind: 'subscriptions.moved',
  version: 1,
  payload: z.object({ customer: z.int() }),
})
