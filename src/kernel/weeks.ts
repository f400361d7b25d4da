import { type Instant, LONDON } from './time.ts'

type Day = Temporal.PlainDate

/** The Monday that a day's week begins with. */
export const mondayOf = (day: Day): Day => day.subtract({ days: day.dayOfWeek - 1 })

/** When a day begins in London. */
const startOf = (day: Day): Instant => day.toZonedDateTime(LONDON).toInstant()

/** How lists are asked for what happened from a day on and before another: the same words for a figure and for the rows behind it. */
export const happenedIn = (field: string, from: Day, before: Day): Readonly<Record<string, string>> => ({
  [`${field}[after]`]: startOf(from).toString(),
  [`${field}[strictly_before]`]: startOf(before).toString(),
})

/** The Mondays of some weeks that are over, and of the one that is on, oldest first. */
export const lastWeeks = (today: Day, over: number): Day[] =>
  Array.from({ length: over + 1 }, (_, n) => mondayOf(today).subtract({ weeks: over - n }))
