import { type Violation, violation } from '#kernel/errors.ts'
import { addDays } from '#kernel/time.ts'
import { countDays } from './days.ts'

/** Longest request, closure or blackout, from its first day to its last. */
export const MAX_PERIOD_DAYS = 366
const FIRST_YEAR = 1990
const YEARS_AHEAD = 2

/** Returns the reason why leave isn't calculated for a day; undefined if it is. */
export function dayProblem(day: string, today: string): string | undefined {
  const [year, lastYear] = [day, today].map((one) => Number(one.slice(0, 4))) as [number, number]
  const last = lastYear + YEARS_AHEAD
  return year < FIRST_YEAR || year > last ? `Please enter a day between ${FIRST_YEAR} and ${last}` : undefined
}

/** Returns the violations of days by field. Fields without a day have none. */
export const dayViolations = (days: Readonly<Record<string, string | null | undefined>>, today: string): Violation[] =>
  Object.entries(days).flatMap(([field, day]) => {
    const wrong = day ? dayProblem(day, today) : undefined
    return wrong ? [violation(field, wrong)] : []
  })

/** Returns the violations of a period, by the fields `firstDay` and `lastDay`. */
export function periodViolations(firstDay: string, lastDay: string, today: string): Violation[] {
  const wrong = dayViolations({ firstDay, lastDay }, today)
  if (wrong.length) return wrong
  if (lastDay < firstDay) return [violation('lastDay', 'The last day is before the first')]
  return countDays(firstDay, lastDay) > MAX_PERIOD_DAYS
    ? [
        violation(
          'lastDay',
          `Please enter ${MAX_PERIOD_DAYS} days at most, which is up to ${addDays(firstDay, MAX_PERIOD_DAYS - 1)}`,
        ),
      ]
    : []
}
