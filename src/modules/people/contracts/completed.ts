import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** Both sides have signed a contract: its PDF is stored, and an employee without an account gets a link to it. */
export const contractCompleted = defineEvent({
  kind: 'contract.completed',
  version: 1,
  payload: z.object({ contract: z.int() }),
})
