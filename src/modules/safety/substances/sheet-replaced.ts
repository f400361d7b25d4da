import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

export const dataSheetReplacedEvent = defineEvent({
  kind: 'substance.sheet-replaced',
  version: 1,
  payload: z.object({ substance: z.int() }),
})
