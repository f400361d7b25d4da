import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** The data sheet of a substance was replaced by one of a later date. */
export const sheetReplaced = defineEvent({
  kind: 'substance.sheet-replaced',
  version: 1,
  payload: z.object({ substance: z.int() }),
})
