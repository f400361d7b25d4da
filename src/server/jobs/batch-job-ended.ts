import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** Emitted when a batch job that a person started has succeeded or failed. */
export const batchJobEnded = defineEvent({ kind: 'run.over', version: 1, payload: z.object({ run: z.int() }) })
