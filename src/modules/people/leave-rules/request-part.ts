import { type Violation, violation } from '#kernel/errors.ts'
import { addDays, earlierDay, laterDay } from '#kernel/time.ts'
import { dayViolations, MAX_PERIOD_DAYS } from './day-limits.ts'
import { countDays, dayNumberOf, epochMinutesAt, listDays, MINUTES_PER_DAY, minuteOfDayOf } from './days.ts'
import { type DatedPattern, patternOn, workingMinutesBetween, workingMinutesOn } from './work-pattern.ts'

export const PORTIONS = [
  { value: 'day', label: 'Whole days' },
  { value: 'morning', label: 'First half of the day' },
  { value: 'afternoon', label: 'Second half of the day' },
  { value: 'hours', label: 'Hours' },
] as const
export type Portion = (typeof PORTIONS)[number]['value']

/** Part of a request: whole days, half of a day, or hours of a day. `from` and `until` are times of `hours`. */
export interface RequestPart {
  readonly firstDay: string
  readonly lastDay: string
  readonly portion: Portion
  readonly from: string | null
  readonly until: string | null
}

const NOON = 720
const MAX_PARTS = 20

/** Time by the clock on the wall that a part takes up, in minutes since 1970, so that two parts can be compared. */
function wallClockSpan({ firstDay, lastDay, portion, from, until }: RequestPart): readonly [number, number] {
  const [first, last] = [dayNumberOf(firstDay) * MINUTES_PER_DAY, dayNumberOf(lastDay) * MINUTES_PER_DAY]
  if (portion === 'morning') return [first, first + NOON]
  if (portion === 'afternoon') return [first + NOON, first + MINUTES_PER_DAY]
  if (portion === 'day') return [first, last + MINUTES_PER_DAY]
  const [start, end] = hoursOf(from, until)
  return [first + start, first + end]
}

export const partsOverlap = (a: RequestPart, b: RequestPart): boolean => {
  const [[from, until], [otherFrom, otherUntil]] = [wallClockSpan(a), wallClockSpan(b)]
  return from < otherUntil && otherFrom < until
}

/** Minutes of the day; the end is on the next day if it is not after the start. */
function hoursOf(from: string | null, until: string | null): readonly [number, number] {
  const [start, end] = [minuteOfDayOf(from ?? '00:00'), minuteOfDayOf(until ?? '00:00')]
  return [start, end > start ? end : end + MINUTES_PER_DAY]
}

/** Returns the days of a part within a period. */
export const daysOfPart = ({ firstDay, lastDay }: RequestPart, within: { from: string; until: string }): string[] =>
  listDays(laterDay(firstDay, within.from), earlierDay(lastDay, within.until))

/**
 * Paid minutes that a part takes on a day. Half a day is half of the paid minutes; an odd minute belongs to the first
 * half. Of irregular hours, only `hours` take time, which is the time stated.
 */
export function partMinutesOn(patterns: readonly DatedPattern[], part: RequestPart, day: string): number {
  const { portion } = part
  if (portion !== 'hours') {
    const minutes = workingMinutesOn(patterns, day)
    return portion === 'day' ? minutes : portion === 'morning' ? Math.ceil(minutes / 2) : Math.floor(minutes / 2)
  }
  const [start, end] = hoursOf(part.from, part.until)
  const [from, until] = [epochMinutesAt(dayNumberOf(day), start), epochMinutesAt(dayNumberOf(day), end)]
  if (patternOn(patterns, day)?.days.length === 0) return Math.max(0, until - from)
  // A shift of the night before may last into this day.
  return workingMinutesBetween(patterns, [addDays(day, -1), day, addDays(day, 1)], from, until)
}

/** Returns the violations of parts, apart from what the employee has already requested. */
export function partViolations(parts: readonly Partial<RequestPart>[], today: string): Violation[] {
  if (!parts.length) return [violation('parts', 'Please enter the dates')]
  if (parts.length > MAX_PARTS) return [violation('parts', `A request has at most ${MAX_PARTS} parts`)]
  const wrong = parts.flatMap((part, n) => {
    const at = (field: string, message: string) => violation(`parts[${n}].${field}`, message)
    const { firstDay, lastDay, from, until } = part
    const portion = part.portion ?? 'day'
    if (!firstDay) return [at('firstDay', 'Please enter the first day')]
    if (!lastDay) return [at('lastDay', 'Please enter the last day')]
    const [outside] = dayViolations({ firstDay, lastDay }, today)
    if (outside) return [at(outside.propertyPath, outside.message)]
    if (lastDay < firstDay) return [at('lastDay', 'The last day is before the first')]
    if (portion !== 'day' && lastDay !== firstDay) return [at('lastDay', 'Part of a day is on one day')]
    if (portion === 'hours' && !(from && until)) return [at(from ? 'until' : 'from', 'Please enter both times')]
    if (portion !== 'hours' && (from || until)) return [at('from', 'Only hours have times')]
    const earlier = parts.slice(0, n).filter((other) => other.firstDay && other.lastDay)
    const overlapped = earlier.some((other) => partsOverlap(toRequestPart(other), toRequestPart(part)))
    return overlapped ? [at('firstDay', 'This overlaps with another part of the request')] : []
  })
  return wrong.length ? wrong : lengthViolations(parts.map(toRequestPart))
}

/** A request has a limited length, with the days between its parts. */
function lengthViolations(parts: readonly RequestPart[]): Violation[] {
  const first = parts.reduce((day, part) => earlierDay(day, part.firstDay), parts[0]?.firstDay ?? '')
  const at = parts.findIndex(({ lastDay }) => countDays(first, lastDay) > MAX_PERIOD_DAYS)
  return at < 0
    ? []
    : [
        violation(
          `parts[${at}].lastDay`,
          `A request covers ${MAX_PERIOD_DAYS} days at most, from its first day to its last`,
        ),
      ]
}

export const toRequestPart = (part: Partial<RequestPart>): RequestPart => ({
  firstDay: part.firstDay ?? '',
  lastDay: part.lastDay ?? '',
  portion: part.portion ?? 'day',
  from: part.from ?? null,
  until: part.until ?? null,
})
