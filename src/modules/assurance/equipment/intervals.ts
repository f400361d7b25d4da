/** Interval between checks. Hours are hours of use. */
export interface CheckInterval {
  readonly every: number
  readonly unit: string
}

/** Longest interval of a law, in months or in days; neither if the law states no interval. */
export interface LegalInterval {
  readonly intervalMonths: number | null
  readonly intervalDays: number | null
}

/** Days of the shortest run of as many months. Of 12 months, it contains no 29 February; of fewer, it contains February. */
const SHORTEST_MONTHS = [0, 28, 59, 89, 120, 150, 181, 212, 242, 273, 303, 334] as const
/** Days of the longest run of as many months, up to a year. */
const LONGEST_MONTHS = [0, 31, 62, 92, 123, 153, 184, 215, 245, 276, 306, 337] as const
const YEAR = 365
const MONTHS_OF_YEAR = 12

/** Returns the days after which as many months have certainly not passed yet. */
const shortestDays = (months: number): number =>
  Math.floor(months / MONTHS_OF_YEAR) * YEAR + (SHORTEST_MONTHS[months % MONTHS_OF_YEAR] ?? 0)

/** Returns the most days that as many months can have. Each year may contain 29 February. */
const longestDays = (months: number): number =>
  Math.floor(months / MONTHS_OF_YEAR) * (YEAR + 1) + (LONGEST_MONTHS[months % MONTHS_OF_YEAR] ?? 0)

/**
 * True if the interval ends, from any day, no later than the legal one. Hours of use never do, because an item that is
 * not used reaches them never.
 */
export function isWithinLaw({ every, unit }: CheckInterval, { intervalMonths, intervalDays }: LegalInterval): boolean {
  if (intervalMonths === null && intervalDays === null) return true
  if (unit === 'hours') return false
  if (intervalMonths !== null)
    return unit === 'months' ? every <= intervalMonths : every <= shortestDays(intervalMonths)
  return (unit === 'days' ? every : longestDays(every)) <= (intervalDays ?? 0)
}

/** Returns an interval in words, such as `Every 6 months`. */
export const describeInterval = ({ every, unit }: CheckInterval): string =>
  every === 1
    ? `Every ${unit === 'hours' ? 'hour of use' : unit.slice(0, -1)}`
    : `Every ${every} ${unit === 'hours' ? 'hours of use' : unit}`

/** Returns the last day on which a check is due, counted from a day; null for hours of use. */
export function dayAfterInterval(day: string, { every, unit }: CheckInterval): string | null {
  if (unit === 'hours') return null
  return Temporal.PlainDate.from(day)
    .add(unit === 'months' ? { months: every } : { days: every })
    .toString()
}
