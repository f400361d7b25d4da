/** Validity of a course: a number of months, a fixed day of each year, or neither if the training does not expire. */
export interface CourseValidity {
  readonly validityMonths: number | null
  /** Month of the yearly retake, `01` to `12`. */
  readonly retakeMonth: string | null
  /** Day of that month. Null for its last day. */
  readonly retakeDay: number | null
  /** A pass within so many days before the fixed day counts for the year after it. */
  readonly retakeGraceDays: number
}

/**
 * Returns the fixed day in a year. A month without such a day has its last one: 29 February is 28 February in three
 * years of four.
 */
const fixedDayIn = (year: number, month: string, day: number | null): Temporal.PlainDate =>
  Temporal.PlainDate.from({ year, month: Number(month), day: day ?? 31 })

/**
 * Returns the last day on which training is valid; null if it does not expire.
 *
 * By months: the day before it is as many months old as the course is valid, or the last day of a month that has no such
 * day. By a fixed day: the next one whose grace period starts later, so that a pass within it counts for the coming
 * year.
 */
export function validityEnd(completedOn: string, course: CourseValidity): string | null {
  const { validityMonths: months, retakeMonth, retakeDay, retakeGraceDays } = course
  const start = Temporal.PlainDate.from(completedOn)
  if (retakeMonth) {
    const counted = start.add({ days: retakeGraceDays })
    const day = fixedDayIn(counted.year, retakeMonth, retakeDay)
    const isLater = Temporal.PlainDate.compare(day, counted) > 0
    return (isLater ? day : fixedDayIn(counted.year + 1, retakeMonth, retakeDay)).toString()
  }
  if (months === null) return null
  const end = start.add({ months })
  return (end.day === start.day ? end.subtract({ days: 1 }) : end).toString()
}
