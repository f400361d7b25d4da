import { z } from 'zod'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { dateRangeFilter, mondayOf, recentMondays } from '#kernel/weeks.ts'
import type { QueryParams } from '../api/client.ts'
import { londonToday } from '../dates/uk-dates.ts'
import type { FilterOption } from './filters.ts'

/**
 * Schema of a period in the URL: `today`, the Monday of a week, or the first and the last day
 * (`2026-11-01..2026-11-30`).
 */
export const weekFilterSchema = z
  .string()
  .refine((week) => week === '' || week === 'today' || isMonday(week) || parseDaySpan(week) !== undefined)
  .default('')

/** Returns the first and the last day of a period; `undefined` for a week or an invalid value. */
export function parseDaySpan(span: string): readonly [Temporal.PlainDate, Temporal.PlainDate] | undefined {
  const [, from, to] = /^(\d{4}-\d\d-\d\d)[.]{2}(\d{4}-\d\d-\d\d)$/.exec(span) ?? []
  if (!from || !to) return undefined
  try {
    return [Temporal.PlainDate.from(from, REAL), Temporal.PlainDate.from(to, REAL)]
  } catch {
    return undefined
  }
}
const REAL = { overflow: 'reject' } as const

function isMonday(day: string): boolean {
  try {
    return /^\d{4}-\d\d-\d\d$/.test(day) && Temporal.PlainDate.from(day).dayOfWeek === 1
  } catch {
    return false
  }
}

const OFFERED = 8

/**
 * Returns the label of a period: `Today`, `This week`, `Last week`, `Week of 9 Nov 2026`, or its first and last day.
 */
function weekWords(week: string, today = londonToday()): string {
  if (week === 'today') return 'Today'
  const days = parseDaySpan(week)
  if (days) return [...new Set(days.map((day) => formatIsoDateAsUk(day.toString())))].join(' to ')
  const monday = Temporal.PlainDate.from(week)
  const since = mondayOf(Temporal.PlainDate.from(today)).since(monday).days / 7
  if (since === 0) return 'This week'
  if (since === 1) return 'Last week'
  return `Week of ${monday.toLocaleString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })}`
}

/**
 * Returns the periods to choose from: today, then the recent weeks, latest first. The chosen period is always included.
 */
export function weekOptions(chosen: string, today = londonToday()): FilterOption[] {
  const weeks = recentMondays(Temporal.PlainDate.from(today), OFFERED).map(String).reverse()
  const all = ['today', ...weeks]
  return [...all, ...(chosen && !all.includes(chosen) ? [chosen] : [])].map((value) => ({
    value,
    label: weekWords(value, today),
  }))
}

/**
 * Returns the query parameters for a period: a week, today, or the days from the first to the last. Returns no
 * parameters if the period is empty.
 */
export function weekParams(field: string, week: string, today = londonToday()): QueryParams {
  if (!week) return {}
  const days = parseDaySpan(week)
  if (days) return dateRangeFilter(field, days[0], days[1].add({ days: 1 }))
  const from = Temporal.PlainDate.from(week === 'today' ? today : week)
  return dateRangeFilter(field, from, from.add(week === 'today' ? { days: 1 } : { weeks: 1 }))
}
