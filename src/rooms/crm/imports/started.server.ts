import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** A file of leads is to be read, or what it brought taken back. */
export const importStarted = defineEvent({ kind: 'crm.import', version: 1, payload: z.object({ batch: z.int() }) })
