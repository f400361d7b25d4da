import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** An incident has been reported. */
export const incidentReported = defineEvent({
  kind: 'incident.reported',
  version: 1,
  payload: z.object({ report: z.int() }),
})
