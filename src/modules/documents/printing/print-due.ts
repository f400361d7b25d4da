import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** Event of a sealed revision whose PDF must be rendered and stored. */
export const printDueEvent = defineEvent({
  kind: 'document.print-due',
  version: 1,
  payload: z.object({ kind: z.string(), document: z.int() }),
})
