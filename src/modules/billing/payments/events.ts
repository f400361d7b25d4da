import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** A refund may go out: whoever has to has approved it. */
export const refundQueued = defineEvent({
  kind: 'refund.queued',
  version: 1,
  payload: z.object({ refund: z.int() }),
})

/**
 * A card payment of an invoice has failed, at once or later. Without `asked` the card was never tried: the payment service could not be
 * reached, or whoever began it has gone.
 */
export const chargeFailed = defineEvent({
  kind: 'charge.failed',
  version: 1,
  payload: z.object({ charge: z.int(), asked: z.boolean() }),
})

/** The payment service has told us of something; `event` is the number of its record. */
export const webhookReceived = defineEvent({
  kind: 'webhook.received',
  version: 1,
  payload: z.object({ event: z.int() }),
})
