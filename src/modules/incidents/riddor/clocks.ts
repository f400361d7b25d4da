import { addDays } from '#kernel/time.ts'
import type { AbsencePeriod } from './facts.ts'

type Day = Temporal.PlainDate

/** Days within which an incident is reported in writing (Schedule 1, paragraph 1(1)(b) of RIDDOR 2013). */
export const REPORT_DAYS = 10
/** Days from the accident within which an incapacity of more than seven days is reported (regulation 4(2)). */
export const INCAPACITY_REPORT_DAYS = 15
/** Days within which a gas incident or a dangerous gas fitting is reported (regulation 11). */
export const GAS_REPORT_DAYS = 14
/** Consecutive days of incapacity after the day of the accident that an injury must exceed to be reported. */
const REPORTABLE_INCAPACITY_DAYS = 7
/** Consecutive days of incapacity that an injury must exceed to be recorded (regulation 12(1)(b)). */
const RECORDED_INCAPACITY_DAYS = 3

const plainDate = (day: string): Day => Temporal.PlainDate.from(day)

/** Periods as days from the first to the last, in order, with those that touch or overlap joined. */
function joinPeriods(
  periods: readonly AbsencePeriod[],
  accidentDay: string,
  today: string,
): { from: Day; until: Day }[] {
  const afterAccident = plainDate(accidentDay).add({ days: 1 })
  const joined: { from: Day; until: Day }[] = []
  const later = (a: Day, b: Day) => (Temporal.PlainDate.compare(a, b) >= 0 ? a : b)
  const given = periods
    .map(({ from, until }) => ({ from: later(plainDate(from), afterAccident), until: plainDate(until ?? today) }))
    .filter(({ from, until }) => Temporal.PlainDate.compare(from, until) <= 0)
    .sort((a, b) => Temporal.PlainDate.compare(a.from, b.from))
  for (const one of given) {
    const last = joined.at(-1)
    if (last && Temporal.PlainDate.compare(one.from, last.until.add({ days: 1 })) <= 0)
      last.until = later(last.until, one.until)
    else joined.push({ ...one })
  }
  return joined
}

/** The most consecutive days of incapacity so far, and the day on which each threshold was passed. */
export interface Incapacity {
  /** Most consecutive days, without the day of the accident, up to today. Rest days count. */
  readonly days: number
  /** First day on which the person had been unable to work for more than three days. */
  readonly overThreeOn?: string
  /** First day on which the person had been unable to work for more than seven days. */
  readonly overSevenOn?: string
  /** True if the person is still unable to work today. */
  readonly isOngoing: boolean
}

const DAY_MS = 86_400_000
/** Number of a day since 1970. A client may have thousands of absences, for which Temporal would be slow. */
const dayNumber = (day: string): number => Date.parse(day) / DAY_MS

/** Counts all days of absence up to today, without the day of the accident. Rest days count, and no day counts twice. */
export function countDaysLost(absences: readonly AbsencePeriod[], accidentDay: string, today: string): number {
  const last = dayNumber(today)
  let [next, lost] = [dayNumber(accidentDay) + 1, 0]
  for (const { from, until } of absences.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const [first, end] = [Math.max(dayNumber(from), next), Math.min(until ? dayNumber(until) : last, last)]
    if (end < first) continue
    lost += end - first + 1
    next = end + 1
  }
  return lost
}

/** Counts consecutive days of incapacity (regulation 4(2): the day of the accident does not count, rest days do). */
export function countIncapacity(absences: readonly AbsencePeriod[], accidentDay: string, today: string): Incapacity {
  const now = plainDate(today)
  const periods = joinPeriods(absences, accidentDay, today).flatMap(({ from, until }) => {
    const end = Temporal.PlainDate.compare(until, now) > 0 ? now : until
    const days = from.until(end, { largestUnit: 'day' }).days + 1
    return days > 0 ? [{ from, days, until }] : []
  })
  const passed = (limit: number) => {
    const period = periods.find(({ days }) => days > limit)
    return period?.from.add({ days: limit }).toString()
  }
  const overThreeOn = passed(RECORDED_INCAPACITY_DAYS)
  const overSevenOn = passed(REPORTABLE_INCAPACITY_DAYS)
  return {
    days: Math.max(0, ...periods.map(({ days }) => days)),
    ...(overThreeOn ? { overThreeOn } : {}),
    ...(overSevenOn ? { overSevenOn } : {}),
    isOngoing: periods.some(({ until }) => Temporal.PlainDate.compare(until, now) >= 0),
  }
}

/** Days between the reminders of a report that is late. */
const LATE_REMINDER_DAYS = 7
/** Days before the deadline on which the last reminder but one is sent. */
const LAST_REMINDER_DAYS = 2

/**
 * Returns the days on which a clock reminds, in order: the day on which it starts, half of its time, two days before
 * its deadline, the deadline, and each week after it until `lateUntil`.
 */
export function reminderDays(startedOn: string, deadline: string, lateUntil: string): string[] {
  const length = plainDate(startedOn).until(deadline, { largestUnit: 'day' }).days
  const before = length > 0 ? [addDays(startedOn, Math.floor(length / 2)), addDays(deadline, -LAST_REMINDER_DAYS)] : []
  const days = new Set([startedOn, ...before.filter((day) => day > startedOn), ...(length >= 0 ? [deadline] : [])])
  for (let day = addDays(deadline, LATE_REMINDER_DAYS); day <= lateUntil; day = addDays(day, LATE_REMINDER_DAYS))
    if (day > startedOn) days.add(day)
  return [...days].sort()
}
