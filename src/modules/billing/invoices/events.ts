import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** Emitted when an invoice is issued. IDs belong to the event's client; the total is in pence. */
export const invoiceIssued = defineEvent({
  kind: 'invoice.issued',
  version: 1,
  payload: z.object({ invoice: z.int(), number: z.string(), customer: z.int(), total: z.number() }),
})

/** Emitted when an invoice is paid, reopened, voided or written off. */
export const invoiceStateChanged = defineEvent({
  kind: 'invoice.moved',
  version: 1,
  payload: z.object({ invoice: z.int() }),
})

/** Requests that an invoice be e-mailed again. A draft is sent as a pro forma. */
export const invoiceSendRequested = defineEvent({
  kind: 'invoice.send',
  version: 1,
  payload: z.object({ invoice: z.int() }),
})

export const invoiceVoided = defineEvent({
  kind: 'invoice.void',
  version: 1,
  payload: z.object({ invoice: z.int() }),
})
