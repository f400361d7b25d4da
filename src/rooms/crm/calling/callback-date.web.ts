import { type Instant, LONDON, later } from '#kernel/time.ts'
import { parseDay } from '#web/dates/uk-dates.ts'

export interface Suggestion {
  readonly label: string
  readonly at: Instant
}

const TEN = Temporal.PlainTime.from('10:00')
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

const instantOn = (day: Temporal.PlainDate, time = TEN): Instant =>
  day.toZonedDateTime({ timeZone: LONDON, plainTime: time }).toInstant()
const today = (now: Instant) => now.toZonedDateTimeISO(LONDON).toPlainDate()
/** The next such weekday after a day; 1 is Monday. */
const nextWeekday = (day: Temporal.PlainDate, weekday: number) =>
  day.add({ days: ((weekday - day.dayOfWeek + 6) % 7) + 1 })

/** The dates that are agreed most often. */
export function suggestions(now: Instant): readonly Suggestion[] {
  const day = today(now)
  return [
    { label: 'Tomorrow 10:00', at: instantOn(day.add({ days: 1 })) },
    { label: 'In 2 days', at: instantOn(day.add({ days: 2 })) },
    { label: 'Next Monday', at: instantOn(nextWeekday(day, 1)) },
    { label: '+7 days', at: later(now, { days: 7 }) },
  ]
}

/**
 * What somebody types while on the telephone: `14:30`, `tue 9`, `tomorrow 2pm`, `+3`, `in 2 weeks`, `5/11 10:00`,
 * `05/11/2026 10:00`. Without a time it is ten o'clock. `undefined` when it can't be read.
 */
export function parseCallback(typed: string, now: Instant): Instant | undefined {
  const s = typed.trim().toLowerCase().replace(/\s+/g, ' ')
  const span = /^(?:\+|in )?(\d{1,3}) ?(d|days?|w|weeks?)?$/.exec(s)
  if (span && (/^(\+|in)/.test(s) || span[2]))
    return later(now, { days: Number(span[1]) * (span[2]?.[0] === 'w' ? 7 : 1) })
  const { rest, time } = splitTime(s)
  if (time === null) return undefined
  const day = rest ? readDay(rest, now) : undefined
  if (rest) return day && instantOn(day, time)
  if (!time) return undefined
  const at = instantOn(today(now), time)
  return at.epochMilliseconds > now.epochMilliseconds ? at : instantOn(today(now).add({ days: 1 }), time)
}

/** The time at the end; `undefined` without one, `null` when no clock shows it. */
function splitTime(s: string): { rest: string; time: Temporal.PlainTime | null | undefined } {
  const m = /^(?:(.*?)[ ,]+)?(?:at )?(?:(\d{1,2})[:.](\d\d) ?(am|pm)?|(\d{1,2}) ?(am|pm))$/.exec(s)
  const bare = /^([a-z ]+?)[ ,]+(?:at )?(\d{1,2})$/.exec(s)
  if (!m && !bare) return { rest: s, time: undefined }
  const half = m?.[4] ?? m?.[6]
  const given = Number(m?.[2] ?? m?.[5] ?? bare?.[2])
  const hour = half ? (given % 12) + (half === 'pm' ? 12 : 0) : given
  const minute = Number(m?.[3] ?? 0)
  const real = hour < 24 && minute < 60 && (!half || (given >= 1 && given <= 12))
  return {
    rest: (m?.[1] ?? bare?.[1] ?? '').replace(/ at$/, ''),
    time: real ? new Temporal.PlainTime(hour, minute) : null,
  }
}

function readDay(s: string, now: Instant): Temporal.PlainDate | undefined {
  const day = today(now)
  const name = s.replace(/^(on|next) /, '')
  const weekday = name.length >= 3 ? DAYS.findIndex((d) => d.startsWith(name)) : -1
  if (weekday >= 0) return nextWeekday(day, weekday + 1)
  const short = /^\d{1,2}[/.-]\d{1,2}$/.test(s)
  const iso = parseDay(short ? `${s}/${day.year}` : s.replace(/^tom+or+ow$/, 'tomorrow'), day.toString())
  if (!iso) return undefined
  const found = Temporal.PlainDate.from(iso)
  return short && Temporal.PlainDate.compare(found, day) < 0 ? found.add({ years: 1 }) : found
}
