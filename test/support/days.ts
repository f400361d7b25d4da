import { firstWorkingDayFrom } from '#kernel/working-days.ts'

const today = () => Temporal.Now.plainDateISO('Europe/London')

/** Returns the London date this many days from today, such as `2026-02-28`. */
export const inDays = (days: number): string => today().add({ days }).toString()

export const daysAgo = (days: number): string => inDays(-days)

/** Returns the number of days from today to the first day, this many days ahead or later, on which banks collect. */
export const workingDayAhead = (days: number): number =>
  today().until(firstWorkingDayFrom(today().add({ days })), { largestUnit: 'days' }).days
