import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** An invoice was issued. IDs are of the event's client; the total is in pence. */
export const invoiceIssued = defineEvent({
  kind: 'invoice.issued',
  version: 1,
  payload: z.object({ invoice: z.int(), number: z.string(), customer: z.int(), total: z.number() }),
})

/** An invoice changed state: paid, reopened, voided or written off. */
export const invoiceStateChanged = defineEvent({
  kind: 'invoice.moved',
  version: 1,
  payload: z.object({ invoice: z.int() }),
})

/** Requests that an invoice is e-mailed again; a draft is sent as a pro forma. */
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
