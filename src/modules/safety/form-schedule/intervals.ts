/** How often a form is filled in, in the order in which one chooses. */
export const INTERVALS = [
  { value: 'day', label: 'Every day' },
  { value: 'working day', label: 'Every working day (Monday to Friday)' },
  { value: 'week', label: 'Every week' },
  { value: 'fortnight', label: 'Every two weeks' },
  { value: 'month', label: 'Every month' },
  { value: 'quarter', label: 'Every three months' },
  { value: 'year', label: 'Every year' },
] as const
export type Interval = (typeof INTERVALS)[number]['value']

type Day = Temporal.PlainDate

const DAYS: Partial<Record<Interval, number>> = { week: 7, fortnight: 14 }
const MONTHS: Partial<Record<Interval, number>> = { month: 1, quarter: 3, year: 12 }
const FRIDAY = 5

/** The Monday after a weekend, or the day itself. */
const workingDay = (day: Day): Day => (day.dayOfWeek > FRIDAY ? day.add({ days: 8 - day.dayOfWeek }) : day)

/**
 * The first day that a form is due, from a day on. Months are counted from the first day of all: what begins on a 31st is due on the last day
 * of shorter months, and on the 31st again after them.
 */
export function dueFrom(every: Interval, startsOn: Day, from: Day): Day {
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

/** When it is due again after it was filled in on a day that it was due on, or later. */
export const dueAfter = (every: Interval, startsOn: Day, filledIn: Day): Day =>
  dueFrom(every, startsOn, filledIn.add({ days: 1 }))
