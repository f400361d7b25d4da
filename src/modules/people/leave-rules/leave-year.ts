import { addDays } from '#kernel/time.ts'
import { countDays } from './days.ts'

/** A leave year: its first and last day. */
export interface LeaveYear {
  readonly from: string
  readonly until: string
}

/** Returns the leave year that contains a day. Years start on a day such as `04-01`, which is never 29 February. */
export function leaveYearOf(day: string, startsOn: string): LeaveYear {
  const calendarYear = Number(day.slice(0, 4))
  return leaveYearFrom(`${day.slice(5) >= startsOn ? calendarYear : calendarYear - 1}-${startsOn}`)
}

/** Returns the leave year with this first day. */
export const leaveYearFrom = (from: string): LeaveYear => ({
  from,
  until: addDays(`${Number(from.slice(0, 4)) + 1}${from.slice(4)}`, -1),
})

export const nextLeaveYear = ({ until }: LeaveYear): LeaveYear => leaveYearFrom(addDays(until, 1))

export const daysInLeaveYear = ({ from, until }: LeaveYear): number => countDays(from, until)

/** Returns the part of a leave year in which a person is employed; undefined if there is none. */
export function employedPart(
  year: LeaveYear,
  { start, leaving }: { readonly start: string; readonly leaving: string | null },
): LeaveYear | undefined {
  const from = start > year.from ? start : year.from
  const until = leaving && leaving < year.until ? leaving : year.until
  return from <= until ? { from, until } : undefined
}

/**
 * Returns the day on which a number of years of service is complete. Of a start on 29 February, this is 1 March in years
 * without that day.
 */
export function serviceAnniversary(start: string, years: number): string {
  const day = `${String(Number(start.slice(0, 4)) + years).padStart(4, '0')}${start.slice(4)}`
  return new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10)
}
