import { type Instant, LONDON_TIME_ZONE } from './time.ts'

type Day = Temporal.PlainDate

/** Returns the Monday of a day's week. */
export const mondayOf = (day: Day): Day => day.subtract({ days: day.dayOfWeek - 1 })

/** Returns the start of a day in London. */
const startOf = (day: Day): Instant => day.toZonedDateTime(LONDON_TIME_ZONE).toInstant()

/**
 * Returns list filters for records from one day until before another. Used for both a figure and the list behind it.
 */
export const dateRangeFilter = (field: string, from: Day, before: Day): Readonly<Record<string, string>> => ({
  [`${field}[after]`]: startOf(from).toString(),
  [`${field}[strictly_before]`]: startOf(before).toString(),
})

/** Returns the Mondays of the previous full weeks and of the current one, oldest first. */
export const recentMondays = (today: Day, over: number): Day[] =>
  Array.from({ length: over + 1 }, (_, n) => mondayOf(today).subtract({ weeks: over - n }))
