import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** What a customer's subscriptions open may be another thing now. */
export const subscriptionsMoved = defineEvent({
  kind: 'subscriptions.moved',
  version: 1,
  payload: z.object({ customer: z.int() }),
})
