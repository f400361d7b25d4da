/** Intervals of a form schedule, in display order. */
export const FORM_INTERVALS = [
  { value: 'day', label: 'Every day' },
  { value: 'working day', label: 'Every working day (Monday to Friday)' },
  { value: 'week', label: 'Every week' },
  { value: 'fortnight', label: 'Every two weeks' },
  { value: 'month', label: 'Every month' },
  { value: 'quarter', label: 'Every three months' },
  { value: 'year', label: 'Every year' },
] as const
export type FormInterval = (typeof FORM_INTERVALS)[number]['value']

type Day = Temporal.PlainDate

const DAYS: Partial<Record<FormInterval, number>> = { week: 7, fortnight: 14 }
const MONTHS: Partial<Record<FormInterval, number>> = { month: 1, quarter: 3, year: 12 }
const FRIDAY = 5

/** The next Monday if the day is at a weekend, otherwise the day itself. */
const workingDay = (day: Day): Day => (day.dayOfWeek > FRIDAY ? day.add({ days: 8 - day.dayOfWeek }) : day)

/**
 * First due date on or after a day. Months count from the first due date: a schedule that starts on a 31st is due on
 * the last day of shorter months and on the 31st again afterwards.
 */
export function firstDueFrom(every: FormInterval, startsOn: Day, from: Day): Day {
  const first = every === 'working day' ? workingDay(startsOn) : startsOn
  if (Temporal.PlainDate.compare(from, first) <= 0) return first
  if (every === 'day') return from
  if (every === 'working day') return workingDay(from)
  const days = DAYS[every]
  if (days !== undefined) return first.add({ days: Math.ceil(first.until(from).days / days) * days })
  const months = MONTHS[every] ?? 1
  const gone = Math.floor(first.until(from, { largestUnit: 'months' }).months / months)
  for (let n = gone; ; n++) {
    const due = first.add({ months: n * months })
    if (Temporal.PlainDate.compare(due, from) >= 0) return due
  }
}

/** Next due date after completion on the due date or later. */
export const nextDueAfter = (every: FormInterval, startsOn: Day, filledIn: Day): Day =>
  firstDueFrom(every, startsOn, filledIn.add({ days: 1 }))
