import { addInLondonTime, ceilToQuarterHour, type Instant, LONDON_TIME_ZONE } from '#kernel/time.ts'
import { firstWorkingDayFrom, isWorkingDay, type UkNation } from '#kernel/working-days.ts'
import { parseUkDate } from '#web/dates/uk-dates.ts'
import { proposeCallbackTime } from '../outcomes/decide.ts'

export interface CallbackSuggestion {
  readonly label: string
  readonly at: Instant
}

const TEN = Temporal.PlainTime.from('10:00')
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

const instantOn = (day: Temporal.PlainDate, time = TEN): Instant =>
  day.toZonedDateTime({ timeZone: LONDON_TIME_ZONE, plainTime: time }).toInstant()
const today = (now: Instant) => now.toZonedDateTimeISO(LONDON_TIME_ZONE).toPlainDate()
/** Returns the next date after `day` that falls on the given weekday; 1 is Monday. */
const nextWeekday = (day: Temporal.PlainDate, weekday: number) =>
  day.add({ days: ((weekday - day.dayOfWeek + 6) % 7) + 1 })

/** Returns suggestions for the callback date, all on working days and without duplicates. */
export function suggestCallbackDates(now: Instant, nation?: UkNation): readonly CallbackSuggestion[] {
  const day = today(now)
  const next = firstWorkingDayFrom(day.add({ days: 1 }), nation)
  const afterNext = firstWorkingDayFrom(next.add({ days: 1 }), nation)
  const nextWeek = firstWorkingDayFrom(nextWeekday(day, 1), nation)
  const named = (d: Temporal.PlainDate) => {
    const name = DAYS[d.dayOfWeek - 1] ?? ''
    return `${name[0]?.toUpperCase()}${name.slice(1)}`
  }
  const isTomorrow = next.equals(day.add({ days: 1 }))
  const found = [
    ...(isWorkingDay(day, nation) ? [{ label: 'In an hour', at: inAnHour(now) }] : []),
    { label: `${isTomorrow ? 'Tomorrow' : named(next)} 10:00`, at: instantOn(next) },
    { label: `${named(afterNext)} 10:00`, at: instantOn(afterNext) },
    { label: `Next ${named(nextWeek)}`, at: instantOn(nextWeek) },
    { label: 'In a week', at: proposeCallbackTime(now, { days: 7 }, nation) },
  ]
  return found.filter((s, n) => found.findIndex((other) => other.at.equals(s.at)) === n)
}

const inAnHour = (now: Instant): Instant => ceilToQuarterHour(now.add({ hours: 1 }))

export const UNREADABLE_DATE_MESSAGE =
  'Please enter a date, such as 28/02/2026 09:30, tue 10, tomorrow 2pm, this afternoon, 2h or +3'

const TIMES_OF_DAY: Readonly<Record<string, string>> = {
  morning: '10:00',
  noon: '12:00',
  midday: '12:00',
  lunchtime: '12:00',
  afternoon: '14:00',
  evening: '18:00',
  night: '18:00',
}

/**
 * Parses a callback date typed during a call, such as `14:30`, `tue 9`, `tomorrow 2pm`, `this afternoon`, `mon
 * morning`, `2h`, `in 30 min`, `+3`, `in 2 weeks`, `5/11 10:00` or `05/11/2026 10:00`. The default time is ten o'clock,
 * and hours 1 to 6 mean the afternoon. Returns `undefined` if the text can't be parsed.
 */
export function parseCallbackDate(typed: string, now: Instant): Instant | undefined {
  const s = typed.trim().toLowerCase().replace(/\s+/g, ' ').replace('tonight', 'this night')
  const ahead = readSpan(s, now)
  if (ahead) return ahead
  const { rest, time } = splitTime(s)
  if (time === null) return undefined
  if (rest === 'this' && time) {
    const at = instantOn(today(now), time)
    // If that time of day, such as the afternoon, has already begun, the callback is an hour from now.
    return at.epochMilliseconds > now.epochMilliseconds ? at : inAnHour(now)
  }
  const day = rest ? readDay(rest, now) : undefined
  if (rest) return day && instantOn(day, time)
  if (!time) return undefined
  const at = instantOn(today(now), time)
  return at.epochMilliseconds > now.epochMilliseconds ? at : instantOn(today(now).add({ days: 1 }), time)
}

/** Parses relative times, such as `2h`, `in half an hour`, `+3` (days) or `in a week`. */
function readSpan(s: string, now: Instant): Instant | undefined {
  const m = /^(\+|in )?(?:(\d{1,3})|(half an?)|an?) ?(m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|months?)?$/.exec(
    s,
  )
  if (!m || !(m[1] || m[4])) return undefined
  const unit = m[4] ?? 'd'
  if (m[3]) return unit.startsWith('h') ? now.add({ minutes: 30 }) : undefined
  const count = Number(m[2] ?? 1)
  if (unit.startsWith('mo')) return addInLondonTime(now, { months: count })
  if (unit.startsWith('m')) return now.add({ minutes: count })
  if (unit.startsWith('h')) return now.add({ hours: count })
  return addInLondonTime(now, { days: count * (unit.startsWith('w') ? 7 : 1) })
}

/** Splits off the time at the end of the text. `time` is `undefined` if there is none, and `null` if it is invalid. */
function splitTime(s: string): { rest: string; time: Temporal.PlainTime | null | undefined } {
  const part = /^(?:(.*?)[ ,]+)?(?:in the |at )?([a-z]+)$/.exec(s)
  const named = TIMES_OF_DAY[part?.[2] ?? '']
  if (named) return { rest: part?.[1] ?? '', time: Temporal.PlainTime.from(named) }
  const m = /^(?:(.*?)[ ,]+)?(?:at )?(?:(\d{1,2})[:.](\d\d) ?(am|pm)?|(\d{1,2}) ?(am|pm))$/.exec(s)
  const bare = /^([a-z ]+?)[ ,]+(?:at )?(\d{1,2})$/.exec(s)
  if (!m && !bare) return { rest: s, time: undefined }
  const half = m?.[4] ?? m?.[6]
  const given = Number(m?.[2] ?? m?.[5] ?? bare?.[2])
  // `fri 3` means three in the afternoon, because nobody agrees a call at three in the morning. Only `03:00` is taken
  // literally.
  const isAfternoon = !half && /^[1-6]$/.test(m?.[2] ?? bare?.[2] ?? '')
  const hour = half ? (given % 12) + (half === 'pm' ? 12 : 0) : given + (isAfternoon ? 12 : 0)
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
  const iso = parseUkDate(s.replace(/^tom+or+ow$/, 'tomorrow'), day.toString())
  return iso ? Temporal.PlainDate.from(iso) : undefined
}
