import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** Emitted when a refund is ready to send. Any approval that the refund needed has been granted. */
export const refundQueued = defineEvent({
  kind: 'refund.queued',
  version: 1,
  payload: z.object({ refund: z.int() }),
})

/**
 * Emitted when a card payment for an invoice has failed, immediately or later. If `asked` is false, the card was never
 * charged, because the payment service was unavailable or the request was abandoned.
 */
export const chargeFailed = defineEvent({
  kind: 'charge.failed',
  version: 1,
  payload: z.object({ charge: z.int(), asked: z.boolean() }),
})

/** Emitted when the payment service has sent an event; `event` is the ID of the event's record. */
export const webhookReceived = defineEvent({
  kind: 'webhook.received',
  version: 1,
  payload: z.object({ event: z.int() }),
})
