import { londonToday } from '#web/dates/uk-dates.ts'
import { daysOf } from '#web/lists/weeks.ts'

/** List parameters for a range of days. */
export function dayParams(field: string, when: string): Record<string, string> {
  if (!when) return {}
  const first = Temporal.PlainDate.from(when === 'today' ? londonToday() : (daysOf(when)?.[0] ?? when).toString())
  const last = daysOf(when)?.[1] ?? (when === 'today' ? first : first.add({ days: 6 }))
  return { [`${field}[after]`]: first.toString(), [`${field}[before]`]: last.toString() }
}
