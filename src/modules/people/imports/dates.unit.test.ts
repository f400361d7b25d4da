import { expect, test } from 'vitest'
import { readUkDate } from './dates.ts'

const TODAY = Temporal.PlainDate.from('2026-07-01')

test.each([
  ['2026-02-01', '2026-02-01'],
  ['2026-02-01T00:00:00', '2026-02-01'],
  ['2026-02-01 00:00', '2026-02-01'],
  ['1/2/26', '2026-02-01'],
  ['01.02.2026', '2026-02-01'],
  ['1-Feb-98', '1998-02-01'],
  ['1st February 2026', '2026-02-01'],
  ['3 Sept 2021', '2021-09-03'],
  ['29/2/2024', '2024-02-29'],
  // Excel's number of a day, with a time of day.
  ['46054', '2026-02-01'],
  ['46054.5', '2026-02-01'],
])('the date %s is read as %s', (text, day) => expect(readUkDate(text, TODAY)).toEqual({ day }))

test('a year of two digits is in the past for a date of birth, and near today for others', () => {
  expect(readUkDate('1/2/26', TODAY, true)).toEqual({ day: '1926-02-01' })
  expect(readUkDate('1/2/13', TODAY, true)).toEqual({ day: '2013-02-01' })
  expect(readUkDate('1/2/14', TODAY, true)).toEqual({ day: '1914-02-01' })
  expect(readUkDate('1/2/46', TODAY)).toEqual({ day: '2046-02-01' })
  expect(readUkDate('1/2/47', TODAY)).toEqual({ day: '1947-02-01' })
})

test.each([
  ['29/2/2026', 'is not a date: there is no 29 February 2026'],
  ['31 April 2020', 'is not a date: there is no 31 April 2020'],
  ['12/25/2020', 'is not a date: the order is day, month, year, and there is no such month'],
  ['1 Foo 2020', 'is not a date: the order is day, month, year, and there is no such month'],
  ['tomorrow', 'is not a date such as 28/02/2026'],
  ['99999', 'is not a date'],
])('the text %s %s', (text, wrong) => expect(readUkDate(text, TODAY)).toEqual({ wrong }))
