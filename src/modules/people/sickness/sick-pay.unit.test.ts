import { expect, test } from 'vitest'
import published from '../../../../db/reference/statutory-leave-and-pay.json' with { type: 'json' }
import { statutorySickPay } from './sick-pay.ts'

const weekdays = (day: string) => Temporal.PlainDate.from(day).dayOfWeek <= 5
const pay = (firstDay: string, lastDay: string, earnings = 500, works = weekdays) => {
  const found = statutorySickPay({ firstDay, lastDay }, earnings, works, published.rates)
  return found && [found.paidDays, found.pence]
}

// https://www.gov.uk/statutory-sick-pay: £123.25 a week or 80 % of earnings from 6 April 2026.
test('since 6 April 2026, the first day is paid, at the lower of the weekly rate and 80 % of earnings', () => {
  expect(pay('2026-06-01', '2026-06-05')).toEqual([5, 12_325])
  expect(pay('2026-06-01', '2026-06-01')).toEqual([1, 2465])
  expect(pay('2026-06-01', '2026-06-05', 100)).toEqual([5, 8000])
  expect(pay('2026-06-06', '2026-06-07')).toEqual([0, 0])
})

test('before 6 April 2026, three days wait, absences of three days are not paid, and earnings need the lower limit', () => {
  expect(pay('2025-06-02', '2025-06-06')).toEqual([2, 4750])
  expect(pay('2025-06-02', '2025-06-04')).toEqual([0, 0])
  expect(pay('2025-06-02', '2025-06-06', 124)).toEqual([2, 0])
})

test('an absence over the change has the waiting days of its start and the rates of each day', () => {
  expect(pay('2026-03-30', '2026-04-10')).toEqual([7, Math.ceil((2 * 11_875) / 5 + 12_325)])
})

test('sick pay ends after 28 weeks, and without rates there is none', () => {
  expect(pay('2026-06-01', '2027-06-30')?.[0]).toBe(28 * 5)
  expect(pay('2020-06-01', '2020-06-05')).toBeUndefined()
})
