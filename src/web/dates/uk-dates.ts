import { formatIsoDateAsUk, LONDON_TIME_ZONE } from '#kernel/time.ts'

const DAY = /^(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{2}|\d{4})$/
const DAY_AND_MONTH = /^(\d{1,2})[/.\- ](\d{1,2})$/
const ISO = /^\d{4}-\d\d-\d\d$/
const TIME = /^(.*?)(?:[ ,T]+)(\d{1,2})(?:[:.](\d\d))(?::(\d\d))?$/

/** Years within which every day of the year occurs: 29 February is left out in years such as 2100. */
const LONGEST_WAIT_YEARS = 8

/**
 * Parses a typed date, or `today`, `tomorrow` or `yesterday`, and returns an ISO date such as `2026-02-28`. A day and
 * month without a year is the next such day, today included; if that is after `latest`, it is the last one before. Returns
 * undefined if there is no such date.
 */
export function parseUkDate(typed: string, today = londonToday(), latest?: string): string | undefined {
  const s = typed.trim().toLowerCase()
  if (s === 'today') return today
  if (s === 'tomorrow') return Temporal.PlainDate.from(today).add({ days: 1 }).toString()
  if (s === 'yesterday') return Temporal.PlainDate.from(today).subtract({ days: 1 }).toString()
  if (ISO.test(s)) return realDay(Number(s.slice(0, 4)), Number(s.slice(5, 7)), Number(s.slice(8)))
  const short = DAY_AND_MONTH.exec(s)
  if (short) return findDay(Number(short[2]), Number(short[1]), today, latest)
  const m = DAY.exec(s)
  if (!m) return undefined
  const year = Number(m[3])
  return realDay(m[3]?.length === 2 ? fullYear(year, today) : year, Number(m[2]), Number(m[1]))
}

/** Formats an ISO date as `28/02/2026`. */
export const formatIsoAsUkDate = (iso: string | null | undefined): string =>
  iso ? formatIsoDateAsUk(iso.slice(0, 10)) : ''

/**
 * Parses a typed London date and time, and returns an ISO date and time with offset. Without a time, midnight is
 * assumed. A time that is skipped by a clock change is moved forward. Returns undefined if there is no such date or
 * time.
 */
export function parseUkDateTime(typed: string, today = londonToday()): string | undefined {
  const m = TIME.exec(typed.trim())
  const day = parseUkDate(m?.[1] ?? typed, today)
  return day && joinDateAndTime(day, m ? `${m[2]?.padStart(2, '0')}:${m[3]}` : '00:00')
}

/**
 * Combines a date and a time in London: `2026-02-28` and `09:30` → `2026-02-28T09:30:00+00:00`. Returns undefined if
 * there is no such time.
 */
export function joinDateAndTime(day: string, time: string): string | undefined {
  const m = /^(\d{1,2})[:.](\d\d)$/.exec(time.trim())
  const [hour, minute] = [Number(m?.[1]), Number(m?.[2])]
  if (!m || hour > 23 || minute > 59) return undefined
  const local = Temporal.PlainDateTime.from(`${day}T00:00:00`).with({ hour, minute })
  return local.toZonedDateTime(LONDON_TIME_ZONE).toString({ timeZoneName: 'never', smallestUnit: 'second' })
}

/** Splits an instant into the London date and time, for a field with two inputs. */
export function splitDateAndTime(iso: string): { day: string; time: string } {
  const local = Temporal.Instant.from(iso).toZonedDateTimeISO(LONDON_TIME_ZONE)
  return { day: local.toPlainDate().toString(), time: local.toPlainTime().toString({ smallestUnit: 'minute' }) }
}

/** Formats an instant as a date and time in London: `28/02/2026 09:30` */
export function formatIsoAsUkDateTime(iso: string | null | undefined): string {
  if (!iso) return ''
  const { day, time } = splitDateAndTime(iso)
  return `${formatIsoAsUkDate(day)} ${time}`
}

export const londonToday = (): string => Temporal.Now.plainDateISO(LONDON_TIME_ZONE).toString()

/** Returns the current time in London, such as `09:30`. */
export const londonTime = (): string => Temporal.Now.plainTimeISO(LONDON_TIME_ZONE).toString({ smallestUnit: 'minute' })

function realDay(year: number, month: number, day: number): string | undefined {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' }).toString()
  } catch {
    return undefined
  }
}

/** Returns the next such day from `today` on; if that is after `latest`, the last such day that is not. */
function findDay(month: number, day: number, today: string, latest = '9999-12-31'): string | undefined {
  const year = Number(today.slice(0, 4))
  const days = Array.from({ length: 2 * LONGEST_WAIT_YEARS + 1 }, (_, i) =>
    realDay(year + i - LONGEST_WAIT_YEARS, month, day),
  )
  const allowed = days.filter((iso) => iso !== undefined && iso <= latest)
  return allowed.find((iso) => iso && iso >= today) ?? allowed.at(-1)
}

/**
 * Expands a two-digit year to a year in the current century, or in the previous century if the year would be more than
 * twenty years ahead.
 */
function fullYear(two: number, today: string): number {
  const now = Number(today.slice(0, 4))
  const year = now - (now % 100) + two
  return year > now + 20 ? year - 100 : year
}
