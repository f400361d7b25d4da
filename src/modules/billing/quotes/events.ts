import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

const planAccepted = z.object({
  plan: z.int(),
  quantity: z.number(),
  unitAmount: z.number(),
  discountPercent: z.number().nullish(),
  interval: z.string().nullable(),
  intervalCount: z.int().nullable(),
  taxPercent: z.number().nullable(),
})

/**
 * Emitted when a quote is accepted. Contains the data needed for its subscriptions. IDs belong to the event's client;
 * amounts are in pence and may have fractions.
 */
export const quoteAccepted = defineEvent({
  kind: 'quote.accepted',
  version: 1,
  payload: z.object({
    quote: z.int(),
    reference: z.string(),
    customer: z.int(),
    contact: z.int().nullable(),
    coupon: z.int().nullable(),
    currency: z.string(),
    total: z.number(),
    taxPercent: z.number(),
    plans: z.array(planAccepted),
    /** Start of billing in Unix seconds; null to start immediately. */
    billingCycleAnchor: z.number().nullable(),
    prorate: z.boolean(),
    acceptedAt: z.string(),
  }),
})
export type QuoteAcceptedPayload = z.output<typeof quoteAccepted.payload>

export const quoteDeclined = defineEvent({
  kind: 'quote.declined',
  version: 1,
  payload: z.object({ quote: z.int(), reason: z.string(), name: z.string() }),
})
