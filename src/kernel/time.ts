/** Time zone for all rules about days, as required by United Kingdom law. */
export const LONDON_TIME_ZONE = 'Europe/London'

export type Instant = Temporal.Instant

export const now = (): Instant => Temporal.Now.instant()

export const londonDate = (at: Instant): Temporal.PlainDate => at.toZonedDateTimeISO(LONDON_TIME_ZONE).toPlainDate()

/** Adds days or months in London time, so that the time of day stays the same across clock changes. */
export const addInLondonTime = (at: Instant, span: { days?: number; months?: number }): Instant =>
  at.toZonedDateTimeISO(LONDON_TIME_ZONE).add(span).toInstant()

export const ceilToQuarterHour = (at: Instant): Instant =>
  at
    .toZonedDateTimeISO(LONDON_TIME_ZONE)
    .round({ smallestUnit: 'minute', roundingIncrement: 15, roundingMode: 'ceil' })
    .toInstant()

/** Returns the last minute of a day in London. A quote that is "valid until" a day is valid for all of that day. */
export const lastMinuteOfDay = (day: Temporal.PlainDate): Instant =>
  day.toZonedDateTime({ timeZone: LONDON_TIME_ZONE, plainTime: '23:59' }).toInstant()

/** Time to record for an event of which only the day is known: now for today, otherwise noon in London. */
export const instantOnLondonDate = (day: string, at: Instant): Instant =>
  day === londonDate(at).toString()
    ? at
    : Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: LONDON_TIME_ZONE, plainTime: '12:00' }).toInstant()

/** Converts an instant to whole seconds since 1970. */
export const toUnixSeconds = (at: Instant): number => Math.floor(at.epochMilliseconds / 1000)
export const fromUnixSeconds = (seconds: number): Instant => Temporal.Instant.fromEpochMilliseconds(seconds * 1000)

/** True for a calendar date in a year from 1 to 9999. */
export function isCalendarDate(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`)
  return at.getUTCFullYear() > 0 && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day)
}

/** Matches a time of day, such as `09:30`. */
export const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/

/** Matches a date, alone or with a time. Some clients send a time with every date; the time is ignored. */
const DAY = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** Parses the date at the start of a string, such as `2026-02-28`; `undefined` if there is none. */
export const parseLeadingDate = (text: string): string | undefined => {
  const day = text.slice(0, 10)
  return DAY.test(text) && isCalendarDate(day) ? day : undefined
}

/** True if the string is a date, optionally with a time: `2026-02-28T10:20`. */
export const isDateOrDateTime = (text: string): boolean =>
  parseLeadingDate(text) !== undefined && !Number.isNaN(Date.parse(text))

const dayOf = ({ day, month, year }: Temporal.ZonedDateTime): string =>
  `${two(day)}/${two(month)}/${String(year).padStart(4, '0')}`
const two = (n: number) => (n < 10 ? `0${n}` : String(n))

/** Formats an ISO date: `2026-02-28` → `28/02/2026`. */
export const formatIsoDateAsUk = (iso: string): string => iso.split('-').reverse().join('/')

/** Formats the date in London: `28/02/2026`. */
export const formatUkDate = (at: Instant): string => dayOf(at.toZonedDateTimeISO(LONDON_TIME_ZONE))

/**
 * Cache of formatted hours such as `28/02/2026 09:`, by hours since 1970, because a list formats the same few hours
 * thousands of times.
 */
const hours = new Map<number, string>()
const MAX_HOURS = 20_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Formats the date and time in London: `28/02/2026 09:30`. */
export function formatUkDateTime(at: Instant): string {
  const ms = at.epochMilliseconds
  // The cache is not used before 1970, because London's offset has been a whole number of hours only since then.
  if (ms < 0) return momentOf(at)
  const hour = Math.floor(ms / HOUR_MS)
  let text = hours.get(hour)
  if (text === undefined) {
    if (hours.size >= MAX_HOURS) hours.clear()
    text = momentOf(at).slice(0, -2)
    hours.set(hour, text)
  }
  return text + two(Math.floor((ms % HOUR_MS) / MINUTE_MS))
}

function momentOf(at: Instant): string {
  const there = at.toZonedDateTimeISO(LONDON_TIME_ZONE)
  return `${dayOf(there)} ${two(there.hour)}:${two(there.minute)}`
}

/** Formats a number of months, such as `a year`, `2 years` or `18 months`. */
export const formatMonths = (months: number): string =>
  months === 1 ? 'a month' : months === 12 ? 'a year' : months % 12 === 0 ? `${months / 12} years` : `${months} months`

export const earlierDay = (a: string, b: string): string => (a < b ? a : b)
export const laterDay = (a: string, b: string): string => (a > b ? a : b)

const DAY_MS = 86_400_000
/** Adds days to an ISO date. Arithmetic on numbers is many times faster than on `PlainDate`. */
export const addDays = (iso: string, days: number): string =>
  new Date(Date.parse(`${iso}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
