import { type Instant, LONDON_TIME_ZONE } from '#kernel/time.ts'
import type { Context, Engine } from './types.ts'

/** Interval, or a time of day in London. */
export type ScheduleInterval = { readonly minutes: number } | { readonly daily: string }

/** Recurring work. */
export interface Schedule {
  readonly name: string
  readonly every: ScheduleInterval
  /** Runs once for all clients. May run twice for a slot, and processes everything, page by page. */
  readonly run?: (engine: Engine) => Promise<void>
  /** Runs once per client and day, in a transaction of that client, which also marks the day as done. */
  readonly perClient?: (c: Context, day: Temporal.PlainDate) => Promise<void> | void
}

interface ForAll {
  readonly name: string
  readonly every: ScheduleInterval
  readonly run: (engine: Engine) => Promise<void>
}
interface ForEachClient {
  readonly name: string
  readonly every: { readonly daily: string }
  readonly perClient: (c: Context, day: Temporal.PlainDate) => Promise<void> | void
}

export const schedule = (s: ForAll | ForEachClient): Schedule => s

/**
 * Latest slot of a schedule at an instant, as text that sorts by time: a date in London, or an instant. A time of day
 * skipped in spring counts as the next one that exists.
 */
export function latestSlotAt(every: ScheduleInterval, at: Instant): string {
  if ('minutes' in every) {
    const length = every.minutes * 60_000
    return Temporal.Instant.fromEpochMilliseconds(Math.floor(at.epochMilliseconds / length) * length).toString()
  }
  const today = at.toZonedDateTimeISO(LONDON_TIME_ZONE).toPlainDate()
  const from = today.toZonedDateTime({ timeZone: LONDON_TIME_ZONE, plainTime: every.daily }).toInstant()
  return (Temporal.Instant.compare(from, at) <= 0 ? today : today.subtract({ days: 1 })).toString()
}
