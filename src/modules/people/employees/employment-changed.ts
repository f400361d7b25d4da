import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

/** The start, leaving date or nation of an employee has changed, by which leave is calculated. */
export const employmentChanged = defineEvent({
  kind: 'employee.employment-changed',
  version: 1,
  payload: z.object({ employee: z.int() }),
})
