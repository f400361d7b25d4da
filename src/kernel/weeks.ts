import { type Instant, LONDON_TIME_ZONE } from './time.ts'

type Day = Temporal.PlainDate

export const mondayOf = (day: Day): Day => day.subtract({ days: day.dayOfWeek - 1 })

/** Returns the start of a day in London. */
const startOf = (day: Day): Instant => day.toZonedDateTime(LONDON_TIME_ZONE).toInstant()

/**
 * Returns list filters for records from the day `from` up to, but not including, the day `before`. Used both for a
 * figure and for the list that it links to.
 */
export const dateRangeFilter = (field: string, from: Day, before: Day): Readonly<Record<string, string>> => ({
  [`${field}[after]`]: startOf(from).toString(),
  [`${field}[strictly_before]`]: startOf(before).toString(),
})

/** Returns the Mondays of the last `over` full weeks and of the current week, oldest first. */
export const recentMondays = (today: Day, over: number): Day[] =>
  Array.from({ length: over + 1 }, (_, n) => mondayOf(today).subtract({ weeks: over - n }))
