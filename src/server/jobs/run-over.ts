import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** A piece of long work that somebody had begun for themselves is done, or has failed. */
export const runOver = defineEvent({ kind: 'run.over', version: 1, payload: z.object({ run: z.int() }) })
