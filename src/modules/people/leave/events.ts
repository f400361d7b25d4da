import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'

const ofRequest = z.object({ request: z.int() })

/** A request for leave was sent. */
export const leaveRequested = defineEvent({ kind: 'leave.requested', version: 1, payload: ofRequest })

/** A request was approved or declined, or approved leave was cancelled. */
export const leaveDecided = defineEvent({ kind: 'leave.decided', version: 1, payload: ofRequest })

/** A company's rules of leave have changed. */
export const leaveRulesChanged = defineEvent({ kind: 'leave.rules-changed', version: 1, payload: z.object({}) })
