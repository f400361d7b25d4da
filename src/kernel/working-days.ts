type Day = Temporal.PlainDate

/** Nations in the United Kingdom that have their own bank holidays, named as on gov.uk. */
export const UK_NATIONS = ['england-and-wales', 'scotland', 'northern-ireland'] as const
export type UkNation = (typeof UK_NATIONS)[number]
const HOME: UkNation = 'england-and-wales'

/**
 * True for Monday to Friday, except bank holidays under the Banking and Financial Dealings Act 1971 and its yearly
 * proclamations. One-off proclamations are listed in `PROCLAIMED`.
 */
export const isWorkingDay = (day: Day, nation: UkNation = HOME): boolean =>
  day.dayOfWeek <= 5 && !bankHolidays(day.year, nation).has(day.toString())

/** Returns the day itself, or the first working day after it. */
export function firstWorkingDayFrom(day: Day, nation: UkNation = HOME): Day {
  let found = day
  while (!isWorkingDay(found, nation)) found = found.add({ days: 1 })
  return found
}

/** Returns the working day that is a number of working days after a day, or before it if the number is negative. */
export function addWorkingDays(day: Day, count: number, nation: UkNation = HOME): Day {
  const step = { days: Math.sign(count) }
  let found = day
  for (let left = Math.abs(count); left > 0; ) {
    found = found.add(step)
    if (isWorkingDay(found, nation)) left--
  }
  return found
}

const known = new Map<string, ReadonlySet<string>>()

/** Returns the bank holidays in a nation for a year, as ISO dates. */
export function bankHolidays(year: number, nation: UkNation = HOME): ReadonlySet<string> {
  const key = `${nation} ${year}`
  const found = known.get(key) ?? new Set([...holidaysOf(year, nation).map(String), ...proclaimedIn(year, nation)])
  known.set(key, found)
  return found
}

/** Holidays proclaimed once, such as for a coronation (`db/reference/bank-holidays.json`). */
const PROCLAIMED: readonly (readonly [string, UkNation])[] = [['2026-06-15', 'scotland']]
const proclaimedIn = (year: number, nation: UkNation) =>
  PROCLAIMED.flatMap(([day, there]) => (there === nation && day.startsWith(`${year}-`) ? [day] : []))

const SCOTTISH_AREAS = /^(?:AB|DD|DG|EH|FK|G|HS|IV|KA|KW|KY|ML|PA|PH|TD|ZE)\d/
/** Postcode district of Berwick, which is in England although its postcode area is Scottish. */
const ENGLISH_DISTRICT = /^TD15/

/** Returns the nation for a postcode, based on its area. The default is England and Wales. */
export function ukNationForPostcode(postcode: string | null | undefined): UkNation {
  const code = (postcode ?? '').replaceAll(/\s/g, '').toUpperCase()
  if (/^BT\d/.test(code)) return 'northern-ireland'
  return SCOTTISH_AREAS.test(code) && !ENGLISH_DISTRICT.test(code) ? 'scotland' : HOME
}

function holidaysOf(year: number, nation: UkNation): Day[] {
  const easter = easterSunday(year)
  const first = (month: number) => {
    const day = on(year, month, 1)
    return day.add({ days: (8 - day.dayOfWeek) % 7 })
  }
  const last = (month: number) => {
    const end = on(year, month, 31)
    return end.subtract({ days: end.dayOfWeek - 1 })
  }
  const newYear = on(year, 1, 1)
  const everywhere = [easter.subtract({ days: 2 }), first(5), last(5), ...together(on(year, 12, 25), on(year, 12, 26))]
  if (nation === 'scotland')
    return [...everywhere, ...together(newYear, on(year, 1, 2)), first(8), afterWeekend(on(year, 11, 30))]
  const most = [...everywhere, afterWeekend(newYear), easter.add({ days: 1 }), last(8)]
  return nation === HOME ? most : [...most, afterWeekend(on(year, 3, 17)), afterWeekend(on(year, 7, 12))]
}

const on = (year: number, month: number, day: number): Day => Temporal.PlainDate.from({ year, month, day })
const afterWeekend = (day: Day): Day => (day.dayOfWeek > 5 ? day.add({ days: 8 - day.dayOfWeek }) : day)

/**
 * Returns the dates of two consecutive holidays, moved if they fall on a weekend. If both move, or the first moves to
 * the Monday of the second, they become Monday and Tuesday.
 */
const together = (one: Day, two: Day): Day[] => [
  afterWeekend(one),
  two.dayOfWeek === 1 ? two.add({ days: 1 }) : two.dayOfWeek > 5 ? two.add({ days: 2 }) : two,
]

/**
 * Calculates the date of Easter Sunday with the algorithm for the Gregorian calendar (Meeus, "Astronomical Algorithms",
 * chapter 8).
 */
function easterSunday(year: number): Day {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const leaps = Math.floor(century / 4)
  const moon = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - leaps - moon + 15) % 30
  const rest = year % 100
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - epact - (rest % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451)
  const days = epact + toSunday - 7 * late + 114
  return on(year, Math.floor(days / 31), (days % 31) + 1)
}
