import { londonToday } from '#web/dates/uk-dates.ts'
import { parseDaySpan } from '#web/lists/weeks.ts'

/** Builds list parameters for a range of days. */
export function dayRangeParams(field: string, when: string): Record<string, string> {
  if (!when) return {}
  const first = Temporal.PlainDate.from(when === 'today' ? londonToday() : (parseDaySpan(when)?.[0] ?? when).toString())
  const last = parseDaySpan(when)?.[1] ?? (when === 'today' ? first : first.add({ days: 6 }))
  return { [`${field}[after]`]: first.toString(), [`${field}[before]`]: last.toString() }
}
