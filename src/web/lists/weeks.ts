import { z } from 'zod'
import { happenedIn, lastWeeks, mondayOf } from '#kernel/weeks.ts'
import type { Params } from '../api/client.ts'
import { londonToday } from '../dates/uk-dates.ts'
import type { FilterOption } from './filters.ts'

/** A day or a week in the address: `today`, or the Monday of a week. */
export const weekState = z
  .string()
  .refine((week) => week === '' || week === 'today' || isMonday(week))
  .default('')

function isMonday(day: string): boolean {
  try {
    return /^\d{4}-\d\d-\d\d$/.test(day) && Temporal.PlainDate.from(day).dayOfWeek === 1
  } catch {
    return false
  }
}

const OFFERED = 8

/** `today`, `This week`, `Last week`, `Week of 9 Nov 2026` */
function weekWords(week: string, today = londonToday()): string {
  if (week === 'today') return 'Today'
  const monday = Temporal.PlainDate.from(week)
  const since = mondayOf(Temporal.PlainDate.from(today)).since(monday).days / 7
  if (since === 0) return 'This week'
  if (since === 1) return 'Last week'
  return `Week of ${monday.toLocaleString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })}`
}

/** The weeks to choose from, the one that is on first; and the one that is chosen, however long ago it was. */
export function weekOptions(chosen: string, today = londonToday()): FilterOption[] {
  const weeks = lastWeeks(Temporal.PlainDate.from(today), OFFERED).map(String).reverse()
  const all = ['today', ...weeks]
  return [...all, ...(chosen && !all.includes(chosen) ? [chosen] : [])].map((value) => ({
    value,
    label: weekWords(value, today),
  }))
}

/** What a list is asked for a week, or for today. */
export function weekParams(field: string, week: string, today = londonToday()): Params {
  if (!week) return {}
  const from = Temporal.PlainDate.from(week === 'today' ? today : week)
  return happenedIn(field, from, from.add(week === 'today' ? { days: 1 } : { weeks: 1 }))
}
