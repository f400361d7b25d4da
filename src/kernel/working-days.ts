type Day = Temporal.PlainDate

/**
 * Is a day one on which offices in England and Wales are open? Monday to Friday, and no bank holiday of the Banking and Financial
 * Dealings Act 1971 and its yearly proclamations. A holiday that is proclaimed once, as for a coronation, is not known here.
 */
export const isWorkingDay = (day: Day): boolean => day.dayOfWeek <= 5 && !bankHolidays(day.year).has(day.toString())

/** That day, or the first working day after it. */
export function workingDayFrom(day: Day): Day {
  let found = day
  while (!isWorkingDay(found)) found = found.add({ days: 1 })
  return found
}

const known = new Map<number, ReadonlySet<string>>()

/** A year's bank holidays in England and Wales, as ISO dates. */
export function bankHolidays(year: number): ReadonlySet<string> {
  const found = known.get(year) ?? new Set(holidaysOf(year).map(String))
  known.set(year, found)
  return found
}

function holidaysOf(year: number): Day[] {
  const easter = easterSunday(year)
  const lastOf = (month: number) => {
    const end = on(year, month, 31)
    return end.subtract({ days: end.dayOfWeek - 1 })
  }
  const may = on(year, 5, 1)
  const [christmas, boxing] = [on(year, 12, 25), on(year, 12, 26)]
  return [
    afterWeekend(on(year, 1, 1)),
    easter.subtract({ days: 2 }),
    easter.add({ days: 1 }),
    may.add({ days: (8 - may.dayOfWeek) % 7 }),
    lastOf(5),
    lastOf(8),
    // Where both are moved, or Christmas Day is moved onto Boxing Day's Monday, they are the Monday and the Tuesday.
    afterWeekend(christmas),
    boxing.dayOfWeek === 1 ? boxing.add({ days: 1 }) : boxing.dayOfWeek > 5 ? boxing.add({ days: 2 }) : boxing,
  ]
}

const on = (year: number, month: number, day: number): Day => Temporal.PlainDate.from({ year, month, day })
const afterWeekend = (day: Day): Day => (day.dayOfWeek > 5 ? day.add({ days: 8 - day.dayOfWeek }) : day)

/** By the tables of the Gregorian calendar (Meeus, "Astronomical Algorithms", chapter 8). */
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
