import { describe, expect, it } from 'vitest'
import {
  formatIsoAsUkDate,
  formatIsoAsUkDateTime,
  joinDateAndTime,
  parseUkDate,
  parseUkDateTime,
  splitDateAndTime,
} from './uk-dates.ts'

const today = '2026-02-27'

describe('a typed date', () => {
  it.each([
    ['28/02/2026', '2026-02-28'],
    ['1/3/26', '2026-03-01'],
    ['01.03.2026', '2026-03-01'],
    ['1 3 1999', '1999-03-01'],
    ['5-6-60', '1960-06-05'],
    ['2026-02-28', '2026-02-28'],
    ['tomorrow', '2026-02-28'],
    ['29/02/2028', '2028-02-29'],
    ['7/12', '2026-12-07'],
    ['27/2', '2026-02-27'],
    ['26.02', '2027-02-26'],
    ['29/2', '2028-02-29'],
  ])('the typed date "%s" is parsed as %s', (typed, iso) => expect(parseUkDate(typed, today)).toBe(iso))

  it.each(['29/02/2026', '31/04/2026', '13/13/2026', '00/01/2026', '2026-02-30', '31/4', '7/', 'soon', ''])(
    'the typed text "%s" is rejected as a date',
    (typed) => expect(parseUkDate(typed, today)).toBeUndefined(),
  )

  it.each([
    ['7/12', '2025-12-07'],
    ['27/2', '2026-02-27'],
    ['29/2', '2024-02-29'],
  ])('without a year, the typed date "%s" is %s where only the past is allowed', (typed, iso) =>
    expect(parseUkDate(typed, today, today)).toBe(iso),
  )

  it('a stored date is shown as DD/MM/YYYY', () => {
    expect(formatIsoAsUkDate('2026-02-28')).toBe('28/02/2026')
    expect(formatIsoAsUkDate(null)).toBe('')
  })
})

describe('a typed date and time', () => {
  it("a typed date and time are stored with London's UTC offset on that date", () => {
    expect(parseUkDateTime('28/02/2026 09:30', today)).toBe('2026-02-28T09:30:00+00:00')
    expect(parseUkDateTime('1/7/2026, 9.05', today)).toBe('2026-07-01T09:05:00+01:00')
    expect(parseUkDateTime('28/02/2026', today)).toBe('2026-02-28T00:00:00+00:00')
  })

  it('a typed time that is skipped by a clock change moves forward an hour', () =>
    expect(joinDateAndTime('2026-03-29', '01:30')).toBe('2026-03-29T02:30:00+01:00'))

  it('impossible times of day are rejected', () => {
    expect(parseUkDateTime('28/02/2026 24:00', today)).toBeUndefined()
    expect(parseUkDateTime('28/02/2026 10:75', today)).toBeUndefined()
  })

  it('an instant is shown in London time, even if it has another offset', () => {
    expect(formatIsoAsUkDateTime('2026-07-01T08:05:00+00:00')).toBe('01/07/2026 09:05')
    expect(splitDateAndTime('2026-12-31T23:30:00-05:00')).toEqual({ day: '2027-01-01', time: '04:30' })
  })
})
