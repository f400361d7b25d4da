import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** Something was done with a sealed revision: its print is to be made and kept. */
export const printDue = defineEvent({
  kind: 'document.print-due',
  version: 1,
  payload: z.object({ kind: z.string(), document: z.int() }),
})
