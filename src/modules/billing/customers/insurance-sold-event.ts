import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** Emitted when insurance is sold. Contains the ID of the sale and, if known, the ID of the seller. */
export const insuranceSold = defineEvent({
  kind: 'insurance.sold',
  version: 1,
  payload: z.object({ insurance: z.int(), seller: z.int().nullable() }),
})
