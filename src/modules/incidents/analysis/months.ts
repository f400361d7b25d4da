import { LONDON_TIME_ZONE, londonDate } from '#kernel/time.ts'
import { dateRangeFilter } from '#kernel/weeks.ts'

/** First and last month, such as `2026-11`. */
export interface MonthSpan {
  readonly from: string
  readonly to: string
}

/** Months of the usual analysis, with the current one. */
const USUAL_MONTHS = 12
/** Maximum number of months in one analysis. */
export const MAX_MONTHS = 60

const firstDayOf = (month: string): Temporal.PlainDate => Temporal.PlainDate.from(`${month}-01`)
const monthOf = (day: Temporal.PlainDate): string => day.toString().slice(0, 7)
const addMonths = (month: string, months: number): string => monthOf(firstDayOf(month).add({ months }))

/** Returns the current month in London. */
export const londonMonth = (at: Temporal.Instant): string => monthOf(londonDate(at))

/** Returns the first instant of a month in London. */
export const monthStart = (month: string): string =>
  firstDayOf(month).toZonedDateTime(LONDON_TIME_ZONE).toInstant().toString()

const isMonth = (text: string): boolean => /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])$/.test(text)

/** Parses months such as `2025-12..2026-11`; `undefined` for anything else. */
export function parseMonths(text: string): MonthSpan | undefined {
  const [from = '', to = '', more] = text.split('..')
  return more === undefined && isMonth(from) && isMonth(to) && from <= to ? { from, to } : undefined
}

export const formatMonthSpan = ({ from, to }: MonthSpan): string => `${from}..${to}`

/** Returns twelve months that end with the current month. */
export const usualMonths = (current: string): MonthSpan => ({ from: addMonths(current, 1 - USUAL_MONTHS), to: current })

export function listMonths({ from, to }: MonthSpan): string[] {
  const months: string[] = []
  for (let month = from; month <= to; month = addMonths(month, 1)) months.push(month)
  return months
}

/** Returns the months of a span that are over; `undefined` if there are none. */
export function completedMonths({ from, to }: MonthSpan, current: string): MonthSpan | undefined {
  const last = to < current ? to : addMonths(current, -1)
  return from <= last ? { from, to: last } : undefined
}

/** Returns the last calendar year that is over, and that ends with or before the span. */
export function lastCompleteYear({ to }: MonthSpan, current: string): MonthSpan {
  const [year, isFull] = [Number(to.slice(0, 4)), to.endsWith('-12')]
  const ended = Math.min(isFull ? year : year - 1, Number(current.slice(0, 4)) - 1)
  return { from: `${ended}-01`, to: `${ended}-12` }
}

/** Returns list filters for a date and time in these months, in London. */
export const monthsFilter = (field: string, { from, to }: MonthSpan): Readonly<Record<string, string>> =>
  dateRangeFilter(field, firstDayOf(from), firstDayOf(addMonths(to, 1)))

/** Formats a month: `March 2026`. */
export const formatMonth = (month: string): string =>
  firstDayOf(month).toLocaleString('en-GB', { month: 'long', year: 'numeric' })

/** Formats months: `January to March 2026`, or `December 2025 to November 2026`. */
export function formatMonthRange({ from, to }: MonthSpan): string {
  if (from === to) return formatMonth(to)
  const isSameYear = from.slice(0, 4) === to.slice(0, 4)
  const first = isSameYear ? firstDayOf(from).toLocaleString('en-GB', { month: 'long' }) : formatMonth(from)
  return `${first} to ${formatMonth(to)}`
}

/** Formats months in order, consecutive ones as a span: `January 2026, March to May 2026`. */
export function formatMonthList(months: readonly string[]): string {
  const spans: MonthSpan[] = []
  for (const month of months) {
    const last = spans.at(-1)
    if (last && addMonths(last.to, 1) === month) spans[spans.length - 1] = { from: last.from, to: month }
    else spans.push({ from: month, to: month })
  }
  return spans.map(formatMonthRange).join(', ')
}
