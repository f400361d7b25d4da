import { LONDON_TIME_ZONE } from '#kernel/time.ts'

const MS_PER_DAY = 86_400_000
export const MINUTES_PER_DAY = 1440

/** Days since 1970 of an ISO date. Arithmetic on numbers is many times faster than on dates. */
export const dayNumberOf = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / MS_PER_DAY

export const isoDateOf = (day: number): string => new Date(day * MS_PER_DAY).toISOString().slice(0, 10)

/** Number of days from one date to another, both included; 0 if the second is before the first. */
export const countDays = (from: string, until: string): number =>
  Math.max(0, dayNumberOf(until) - dayNumberOf(from) + 1)

/** Returns the days from one date to another, both included; none if the second is before the first. */
export const listDays = (from: string, until: string): string[] => {
  const first = dayNumberOf(from)
  return Array.from({ length: countDays(from, until) }, (_, n) => isoDateOf(first + n))
}

/** Monday is 0. */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7

/** London's offset in minutes on a day; null on a day on which the clocks change. */
const offsets = new Map<number, number | null>()

function offsetOn(day: number): number | null {
  const cached = offsets.get(day)
  if (cached !== undefined) return cached
  const offsetAt = (on: number) =>
    Temporal.PlainDate.from(isoDateOf(on)).toZonedDateTime(LONDON_TIME_ZONE).offsetNanoseconds / 60e9
  const found = offsetAt(day) === offsetAt(day + 1) ? offsetAt(day) : null
  offsets.set(day, found)
  return found
}

/** Minutes since 1970 of a time of day in London. Times that the clock skips or repeats follow Temporal's rules. */
export function epochMinutesAt(day: number, minuteOfDay: number): number {
  const date = day + Math.floor(minuteOfDay / MINUTES_PER_DAY)
  const minute = minuteOfDay % MINUTES_PER_DAY
  const offset = offsetOn(date)
  if (offset !== null) return date * MINUTES_PER_DAY + minute - offset
  const time = Temporal.PlainTime.from({ hour: Math.floor(minute / 60), minute: minute % 60 })
  const at = Temporal.PlainDate.from(isoDateOf(date)).toZonedDateTime({ timeZone: LONDON_TIME_ZONE, plainTime: time })
  return Math.floor(at.epochMilliseconds / 60_000)
}

/** Minutes since midnight of a time such as `09:30`. */
export const minuteOfDayOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
