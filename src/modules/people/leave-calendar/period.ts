import { earlierDay, laterDay } from '#kernel/time.ts'
import { countDays } from '../leave-rules/days.ts'
import type { RequestPart } from '../leave-rules/request-part.ts'
import type { CalendarAbsence } from './calendar.ts'

export interface Period {
  readonly from: string
  readonly until: string
}

const MONTHS_PER_YEAR = 12
const dayOf = (iso: string) => Temporal.PlainDate.from(iso)

/** Returns the month, or the twelve months, that start with a month such as `2026-12`. */
export const periodOf = (month: string, isYear: boolean): Period => {
  const from = dayOf(`${month}-01`)
  const months = isYear ? MONTHS_PER_YEAR : 1
  return { from: from.toString(), until: from.add({ months }).subtract({ days: 1 }).toString() }
}

export const moveMonth = (month: string, months: number): string =>
  dayOf(`${month}-01`).add({ months }).toString().slice(0, 7)

const [HALF, WHOLE] = [0.5, 1]

/** Place of a part in a period, as a proportion of its length. Hours take the whole day, as their times are stated. */
export function placeOf(
  { firstDay, lastDay, portion }: RequestPart,
  { from, until }: Period,
): { start: number; size: number } {
  const length = countDays(from, until)
  const [first, last] = [laterDay(firstDay, from), earlierDay(lastDay, until)]
  const before = countDays(from, first) - 1 + (portion === 'afternoon' ? HALF : 0)
  const days = portion === 'morning' || portion === 'afternoon' ? HALF : countDays(first, last) * WHOLE
  return { start: before / length, size: days / length }
}

const PORTION_WORDS = { day: '', morning: ', first half', afternoon: ', second half', hours: '' } as const
const STATE_WORDS = {
  requested: 'waiting for approval',
  approved: 'approved',
  sick: 'absent',
  busy: 'busy',
} as const

const format = (iso: string) => dayOf(iso).toLocaleString('en-GB', { day: 'numeric', month: 'long' })

/** Days of a part: `3 March, first half`, `3 March, 09:00 to 11:00` or `3 March to 5 March`. */
export const formatPart = ({ firstDay, lastDay, portion, from, until }: RequestPart): string => {
  const days = firstDay === lastDay ? format(firstDay) : `${format(firstDay)} to ${format(lastDay)}`
  return portion === 'hours' ? `${days}, ${from} to ${until}` : `${days}${PORTION_WORDS[portion]}`
}

/** Describes an absence in words, for people who do not see its bar. */
export const describeAbsence = (
  absence: CalendarAbsence,
  kinds: readonly { readonly id: number; readonly name: string }[],
): string => {
  const kind = kinds.find(({ id }) => id === absence.kind)?.name
  return [kind, formatPart(absence), STATE_WORDS[absence.state]].filter(Boolean).join(', ')
}
