import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** A refund is ready to send: any approval that it needed has been granted. */
export const refundQueued = defineEvent({
  kind: 'refund.queued',
  version: 1,
  payload: z.object({ refund: z.int() }),
})

/**
 * A card payment of an invoice has failed, immediately or later. Without `asked` the card was never charged: the
 * payment service was unavailable, or the request was abandoned.
 */
export const chargeFailed = defineEvent({
  kind: 'charge.failed',
  version: 1,
  payload: z.object({ charge: z.int(), asked: z.boolean() }),
})

/** The payment service has sent an event; `event` is the ID of its record. */
export const webhookReceived = defineEvent({
  kind: 'webhook.received',
  version: 1,
  payload: z.object({ event: z.int() }),
})
