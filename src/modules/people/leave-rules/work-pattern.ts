import { TIME_OF_DAY } from '#kernel/time.ts'
import { dayNumberOf, epochMinutesAt, MINUTES_PER_DAY, minuteOfDayOf } from './days.ts'

/** Twelve weeks. */
export const MAX_CYCLE_DAYS = 84
const MAX_SHIFTS_PER_DAY = 4

/**
 * Working time that starts on a day. If `until` is not after `from`, the shift ends on the next day; equal times are 24
 * hours. The unpaid break is taken in the middle.
 */
export interface Shift {
  readonly from: string
  readonly until: string
  readonly breakMinutes: number
}

/** Shifts of each day in a cycle: 7 days for a week, 14 for alternating weeks, 8 for four days on and four off. */
export type CycleDays = readonly (readonly Shift[])[]

/** Pattern of an employee from a day, until the next one starts. */
export interface DatedPattern {
  readonly from: string
  /** Day that is the first of the cycle. */
  readonly cycleStart: string
  /** Empty for irregular hours. */
  readonly days: CycleDays
}

type Interval = readonly [from: number, until: number]

/** Returns the reason why the days are no cycle of shifts; undefined if they are one. */
export function cycleProblem(days: unknown): string | undefined {
  if (!Array.isArray(days) || !days.length || days.length > MAX_CYCLE_DAYS)
    return `A pattern has between 1 and ${MAX_CYCLE_DAYS} days`
  for (const [n, shifts] of days.entries()) {
    if (!Array.isArray(shifts) || shifts.length > MAX_SHIFTS_PER_DAY || !shifts.every(isShift))
      return `Please enter from, until and break of each shift on day ${n + 1}, for at most ${MAX_SHIFTS_PER_DAY} shifts`
    if (shifts.some((s) => nominalMinutes(s) <= s.breakMinutes))
      return `The break on day ${n + 1} is longer than the shift`
  }
  return overlapProblem(days as CycleDays)
}

const isShift = (value: unknown): value is Shift => {
  const { from, until, breakMinutes } = (value ?? {}) as Partial<Record<keyof Shift, unknown>>
  return [from, until].every((time) => typeof time === 'string' && TIME_OF_DAY.test(time)) && isBreak(breakMinutes)
}
const isBreak = (minutes: unknown) => Number.isInteger(minutes) && Number(minutes) >= 0

/** Length by the clock on the wall, on a night without a clock change. */
function nominalMinutes({ from, until }: Shift): number {
  const [start, end] = [minuteOfDayOf(from), minuteOfDayOf(until)]
  return end > start ? end - start : end + MINUTES_PER_DAY - start
}

/** The last day is followed by the first one. */
function overlapProblem(days: CycleDays): string | undefined {
  const length = days.length * MINUTES_PER_DAY
  const all = days.flatMap((shifts, day) =>
    shifts.map((s) => ({ start: day * MINUTES_PER_DAY + minuteOfDayOf(s.from), minutes: nominalMinutes(s) })),
  )
  all.sort((a, b) => a.start - b.start)
  const [first] = all
  if (!first) return undefined
  const following = [...all.slice(1), { ...first, start: first.start + length }]
  const at = all.findIndex(({ start, minutes }, n) => start + minutes > (following[n]?.start ?? 0))
  return at < 0 ? undefined : `Shifts on day ${Math.floor((all[at]?.start ?? 0) / MINUTES_PER_DAY) + 1} overlap`
}

/** Returns the pattern in force on a day; undefined before the first. Patterns are in the order of their days. */
export const patternOn = (patterns: readonly DatedPattern[], day: string): DatedPattern | undefined =>
  patterns.findLast(({ from }) => from <= day)

const shiftsOn = (pattern: DatedPattern, day: number): readonly Shift[] => {
  const { length } = pattern.days
  const place = length ? (day - dayNumberOf(pattern.cycleStart)) % length : 0
  return pattern.days[place < 0 ? place + length : place] ?? []
}

/** Paid time of a shift, in minutes since 1970. In a night of a clock change it is an hour longer or shorter. */
function paidIntervals({ from, until, breakMinutes }: Shift, day: number): readonly Interval[] {
  const [first, last] = [minuteOfDayOf(from), minuteOfDayOf(until)]
  const [start, end] = [epochMinutesAt(day, first), epochMinutesAt(day, last > first ? last : last + MINUTES_PER_DAY)]
  if (!breakMinutes) return [[start, end]]
  const half = start + Math.max(0, Math.floor((end - start - breakMinutes) / 2))
  return [
    [start, half],
    [Math.min(end, half + breakMinutes), end],
  ]
}

const intervalsOn = (patterns: readonly DatedPattern[], iso: string): readonly Interval[] => {
  const pattern = patternOn(patterns, iso)
  const day = dayNumberOf(iso)
  return pattern ? shiftsOn(pattern, day).flatMap((s) => paidIntervals(s, day)) : []
}

/** Paid minutes of the shifts that start on a day. */
export const workingMinutesOn = (patterns: readonly DatedPattern[], day: string): number =>
  intervalsOn(patterns, day).reduce((sum, [from, until]) => sum + until - from, 0)

/** Paid minutes between two times, in minutes since 1970, of shifts that start on one of these days. */
export const workingMinutesBetween = (
  patterns: readonly DatedPattern[],
  days: readonly string[],
  from: number,
  until: number,
): number =>
  days
    .flatMap((day) => intervalsOn(patterns, day))
    .reduce((sum, [start, end]) => sum + Math.max(0, Math.min(end, until) - Math.max(start, from)), 0)

/** Average of a cycle. A day with several shifts is one day. */
export interface CycleAverage {
  readonly minutesPerWeek: number
  readonly daysPerWeek: number
}

/** The average counts nominal lengths: two nights a year do not change an entitlement. */
export function averageCycle(days: CycleDays): CycleAverage {
  const minutes = days.flat().reduce((sum, s) => sum + nominalMinutes(s) - s.breakMinutes, 0)
  const worked = days.filter((shifts) => shifts.length).length
  const weeks = days.length / 7
  return weeks
    ? { minutesPerWeek: minutes / weeks, daysPerWeek: worked / weeks }
    : { minutesPerWeek: 0, daysPerWeek: 0 }
}

/** Minutes of an average working day of the pattern on a day; 0 without one. Leave is shown in days of this length. */
export function averageDayMinutes(patterns: readonly DatedPattern[], day: string): number {
  const { minutesPerWeek, daysPerWeek } = averageCycle(patternOn(patterns, day)?.days ?? [])
  return daysPerWeek ? Math.round(minutesPerWeek / daysPerWeek) : 0
}
