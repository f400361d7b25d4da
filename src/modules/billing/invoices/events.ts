import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** An invoice was issued; ids are of records of the event's client, the total is pence. */
export const invoiceIssued = defineEvent({
  kind: 'invoice.issued',
  version: 1,
  payload: z.object({ invoice: z.int(), number: z.string(), customer: z.int(), total: z.number() }),
})

/** An invoice is in another state than before: paid, open again, void or written off. */
export const invoiceMoved = defineEvent({
  kind: 'invoice.moved',
  version: 1,
  payload: z.object({ invoice: z.int() }),
})

/** Somebody wants it sent once more; a draft goes as a pro forma. */
export const invoiceSent = defineEvent({
  kind: 'invoice.send',
  version: 1,
  payload: z.object({ invoice: z.int() }),
})

export const invoiceVoided = defineEvent({
  kind: 'invoice.void',
  version: 1,
  payload: z.object({ invoice: z.int() }),
})
