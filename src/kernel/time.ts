/** Rules about days run where the law is: in the United Kingdom. */
export const LONDON = 'Europe/London'

/** What a rule may be given as "now". */
export type Instant = Temporal.Instant

export const now = (): Instant => Temporal.Now.instant()

/** Today's date in London at an instant. */
export const londonDate = (at: Instant): Temporal.PlainDate => at.toZonedDateTimeISO(LONDON).toPlainDate()

/** The same time of day in London, some days or months on; the clocks changing in between moves nothing. */
export const later = (at: Instant, span: { days?: number; months?: number }): Instant =>
  at.toZonedDateTimeISO(LONDON).add(span).toInstant()

/** That moment, or the next whole quarter of an hour. */
export const quarterFrom = (at: Instant): Instant =>
  at
    .toZonedDateTimeISO(LONDON)
    .round({ smallestUnit: 'minute', roundingIncrement: 15, roundingMode: 'ceil' })
    .toInstant()

/** The last minute of a day in London: what is valid until a day is valid on it. */
export const lastMinute = (day: Temporal.PlainDate): Instant =>
  day.toZonedDateTime({ timeZone: LONDON, plainTime: '23:59' }).toInstant()

/** Whole seconds since 1970. */
export const unix = (at: Instant): number => Math.floor(at.epochMilliseconds / 1000)
export const fromUnix = (seconds: number): Instant => Temporal.Instant.fromEpochMilliseconds(seconds * 1000)

/** Is it a day of the calendar, in a year from 1 to 9999? */
export function isDay(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`)
  return at.getUTCFullYear() > 0 && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day)
}

/** A day, alone or with a time of it, which is left aside: some clients send every date so. */
const DAY = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** The day that a text says, `2026-02-28`; nothing where it says none. */
export const readDay = (text: string): string | undefined => {
  const day = text.slice(0, 10)
  return DAY.test(text) && isDay(day) ? day : undefined
}

/** Does a text say a day, and a time of it if any: `2026-02-28T10:20`? */
export const isMoment = (text: string): boolean => readDay(text) !== undefined && !Number.isNaN(Date.parse(text))

const dayOf = ({ day, month, year }: Temporal.ZonedDateTime): string =>
  `${two(day)}/${two(month)}/${String(year).padStart(4, '0')}`
const two = (n: number) => (n < 10 ? `0${n}` : String(n))

/** `28/02/2026`, of the day `2026-02-28` */
export const ukDay = (iso: string): string => iso.split('-').reverse().join('/')

/** `28/02/2026` in London */
export const ukDate = (at: Instant): string => dayOf(at.toZonedDateTimeISO(LONDON))

/** The hours that were asked for, `28/02/2026 09:`, by their number since 1970: a list asks for few, thousands of times. */
const hours = new Map<number, string>()
const MOST_HOURS = 20_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** `28/02/2026 09:30` in London */
export function ukDateTime(at: Instant): string {
  const ms = at.epochMilliseconds
  // Since 1970 London has been whole hours ahead.
  if (ms < 0) return momentOf(at)
  const hour = Math.floor(ms / HOUR_MS)
  let text = hours.get(hour)
  if (text === undefined) {
    if (hours.size >= MOST_HOURS) hours.clear()
    text = momentOf(at).slice(0, -2)
    hours.set(hour, text)
  }
  return text + two(Math.floor((ms % HOUR_MS) / MINUTE_MS))
}

function momentOf(at: Instant): string {
  const there = at.toZonedDateTimeISO(LONDON)
  return `${dayOf(there)} ${two(there.hour)}:${two(there.minute)}`
}
