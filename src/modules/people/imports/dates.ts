import { isCalendarDate } from '#kernel/time.ts'

/** A date that was read, or the reason why it can't be, as the end of a sentence about the text. */
export type ReadDate = { readonly day: string } | { readonly wrong: string }

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
/** Days since 30 December 1899, by which Excel stores dates: 18 May 1927 to 13 April 2064. */
const SERIALS = { first: 10_000, last: 60_000 }
const SERIAL_ORIGIN = Temporal.PlainDate.from('1899-12-30')
/** Youngest age of an employee in years, by which a date of birth with a year of two digits is read. */
const MIN_AGE_YEARS = 13
/** Years ahead within which another date with a year of two digits is read as in this century. */
const MAX_YEARS_AHEAD = 20

/** Returns the four digits of a year that was written with two. */
function completeYear(year: number, today: Temporal.PlainDate, isBirth: boolean): number {
  const latest = isBirth ? today.year - MIN_AGE_YEARS : today.year + MAX_YEARS_AHEAD
  const inThisCentury = 2000 + year
  return inThisCentury <= latest ? inThisCentury : 1900 + year
}

/**
 * Reads a date as spreadsheets and people in the UK write it: 2026-02-01, 1/2/26 (1 February), 1 Feb 2026, or the number
 * by which Excel stores a day. The order of day and month is never guessed from the values.
 */
export function readUkDate(text: string, today: Temporal.PlainDate, isBirth = false): ReadDate {
  const s = text.trim().replace(/[T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?Z?$/, '')
  const serial = /^(\d{5})([.,]\d{1,12})?$/.exec(s)
  if (serial) {
    const days = Number(serial[1])
    if (days < SERIALS.first || days > SERIALS.last) return { wrong: 'is not a date' }
    return { day: SERIAL_ORIGIN.add({ days }).toString() }
  }
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(s)
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const uk = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})$/.exec(s)
  const named = /^(\d{1,2})(?:st|nd|rd|th)?[-/. ]{1,2}([a-z]{3,9})\.?[-/., ]{1,2}(\d{4}|\d{2})$/i.exec(s)
  const found = uk ?? named
  if (!found) return { wrong: 'is not a date such as 28/02/2026' }
  const [, day = '', month = '', year = ''] = found
  const full = year.length === 2 ? completeYear(Number(year), today, isBirth) : Number(year)
  return dayOf(full, uk ? Number(month) : monthOf(month), Number(day))
}

/** Returns the number of a month from its name, whole or cut to three letters; 0 if there is none. */
function monthOf(name: string): number {
  const at = MONTHS.indexOf(name.slice(0, 3).toLowerCase())
  const isName = [MONTHS[at], 'sept', MONTH_NAMES[at]?.toLowerCase()].includes(name.toLowerCase())
  return isName ? at + 1 : 0
}

function dayOf(year: number, month: number, day: number): ReadDate {
  const name = MONTH_NAMES[month - 1]
  if (!name) return { wrong: 'is not a date: the order is day, month, year, and there is no such month' }
  const two = (n: number) => String(n).padStart(2, '0')
  const iso = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
  return isCalendarDate(iso) ? { day: iso } : { wrong: `is not a date: there is no ${day} ${name} ${year}` }
}
