/**
 * Returns the last day on which training is valid: the day before it is as many months old as the course is valid, or
 * the last day of a month that has no such day. Null if it does not expire.
 */
export function validityEnd(completedOn: string, months: number | null): string | null {
  if (months === null) return null
  const start = Temporal.PlainDate.from(completedOn)
  const end = start.add({ months })
  return (end.day === start.day ? end.subtract({ days: 1 }) : end).toString()
}
