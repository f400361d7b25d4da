import { LONDON_TIME_ZONE } from '#kernel/time.ts'

export interface RelativeTime {
  readonly text: string
  readonly late: boolean
}

/**
 * Formats the time between `now` and another moment. Short times are measured by the clock, longer times in London
 * calendar days. If `due` is set and the moment was at least a minute ago, the text says that it is late.
 */
export function formatRelativeTime(at: Temporal.Instant, now: Temporal.Instant, due = false): RelativeTime {
  const seconds = Math.round((at.epochMilliseconds - now.epochMilliseconds) / 1000)
  const past = seconds < 0
  const late = past && due
  const say = (amount: string) => (late ? `${amount} late` : past ? `${amount} ago` : `in ${amount}`)
  const far = Math.abs(seconds)
  if (far < 60) return { text: 'just now', late: false }
  if (far < 3600) return { text: say(`${Math.floor(far / 60)} min`), late }
  const days = Math.abs(calendarDays(at, now))
  if (far < 86_400 && (late || days === 0 || far < 6 * 3600)) return { text: say(`${Math.floor(far / 3600)} h`), late }
  if (days === 1 && !late) return { text: past ? 'yesterday' : 'tomorrow', late }
  return { text: say(span(Math.max(1, days))), late }
}

function span(days: number): string {
  if (days < 14) return count(days, 'day')
  if (days < 60) return count(Math.round(days / 7), 'week')
  if (days < 730) return count(Math.round(days / 30.44), 'month')
  return count(Math.round(days / 365.25), 'year')
}

const count = (n: number, unit: string) => `${n} ${unit}${n === 1 ? '' : 's'}`

function calendarDays(at: Temporal.Instant, now: Temporal.Instant): number {
  const day = (i: Temporal.Instant) => i.toZonedDateTimeISO(LONDON_TIME_ZONE).toPlainDate()
  return day(now).until(day(at)).days
}
