import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import published from '../../db/reference/bank-holidays.json' with { type: 'json' }
import { bankHolidays, firstWorkingDayFrom, isWorkingDay, UK_NATIONS, ukNationForPostcode } from './working-days.ts'

const day = (iso: string) => Temporal.PlainDate.from(iso)

// Bank holidays as published on gov.uk for England and Wales.
test.each([
  [2022, '01-03 04-15 04-18 05-02 05-30 08-29 12-27 12-26'],
  [2025, '01-01 04-18 04-21 05-05 05-26 08-25 12-25 12-26'],
  [2026, '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28'],
  [2027, '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28'],
  [2028, '01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26'],
])('the bank holidays for %i in England and Wales match the published dates', (year, days) =>
  expect([...bankHolidays(year)].sort()).toEqual(
    days
      .split(' ')
      .map((d) => `${year}-${d}`)
      .sort(),
  ),
)

describe.each(UK_NATIONS)('bank holidays in %s', (nation) => {
  test.each([2025, 2026, 2027, 2028])('the calculated bank holidays for %i match those published', (year) => {
    const days = published[nation].map(({ date }) => date).filter((date) => date.startsWith(`${year}-`))
    expect([...bankHolidays(year, nation)].sort()).toEqual(days.sort())
  })
})

test.each([
  ['EH1 1YZ', 'scotland'],
  ['g11xx', 'scotland'],
  ['TD9 0AA', 'scotland'],
  ['TD15 1AA', 'england-and-wales'],
  ['GL1 1AA', 'england-and-wales'],
  ['BT1 5GS', 'northern-ireland'],
  ['CF10 1EP', 'england-and-wales'],
  ['', 'england-and-wales'],
  [null, 'england-and-wales'],
])('the postcode %s is in %s', (postcode, nation) => expect(ukNationForPostcode(postcode)).toBe(nation))

const anyDay = fc.integer({ min: 0, max: 40_000 }).map((n) => day('2000-01-01').add({ days: n }))

test('every year has eight bank holidays, all from Monday to Friday', () =>
  fc.assert(
    fc.property(fc.integer({ min: 1990, max: 2150 }), (year) => {
      const found = [...bankHolidays(year)]
      expect(found).toHaveLength(8)
      for (const iso of found) expect([day(iso).year, day(iso).dayOfWeek <= 5]).toEqual([year, true])
    }),
  ))

test('the first working day on or after a date is at most five days later', () =>
  fc.assert(
    fc.property(anyDay, (from) => {
      const found = firstWorkingDayFrom(from)
      expect(isWorkingDay(found)).toBe(true)
      const days = from.until(found).days
      expect(days >= 0 && days <= 5).toBe(true)
      for (let n = 0; n < days; n++) expect(isWorkingDay(from.add({ days: n }))).toBe(false)
    }),
  ))
