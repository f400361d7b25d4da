import { expect, test } from 'vitest'
import { countDaysLost, countIncapacity, listReminderDays } from './clocks.ts'

const ACCIDENT = '2026-03-02'
const count = (absences: Parameters<typeof countIncapacity>[0], today: string) =>
  countIncapacity(absences, ACCIDENT, today)

test('the day of the accident does not count towards an absence', () => {
  expect(count([{ from: ACCIDENT, until: '2026-03-09' }], '2026-04-01')).toMatchObject({ days: 7 })
  expect(count([{ from: ACCIDENT, until: '2026-03-09' }], '2026-04-01').overSevenOn).toBeUndefined()
  expect(count([{ from: ACCIDENT, until: '2026-03-10' }], '2026-04-01').overSevenOn).toBe('2026-03-10')
})

test('periods that touch or overlap are one absence, and a day at work interrupts it', () => {
  const touching = [
    { from: '2026-03-07', until: '2026-03-10' },
    { from: '2026-03-03', until: '2026-03-06' },
  ]
  expect(count(touching, '2026-04-01')).toMatchObject({ days: 8, overSevenOn: '2026-03-10', isOngoing: false })
  const interrupted = [
    { from: '2026-03-03', until: '2026-03-06' },
    { from: '2026-03-08', until: '2026-03-11' },
  ]
  expect(count(interrupted, '2026-04-01')).toMatchObject({ days: 4, overThreeOn: '2026-03-06' })
})

test('an open absence counts up to today and not beyond', () => {
  expect(count([{ from: '2026-03-03' }], '2026-03-05')).toEqual({ days: 3, isOngoing: true })
  expect(count([{ from: '2026-03-03', until: '2026-03-31' }], '2026-03-05')).toEqual({ days: 3, isOngoing: true })
  expect(count([{ from: '2026-03-20' }], '2026-03-05')).toEqual({ days: 0, isOngoing: false })
})

test('an absence that begins weeks later and lasts eight days is reportable', () => {
  expect(count([{ from: '2026-03-20', until: '2026-03-27' }], '2026-04-01').overSevenOn).toBe('2026-03-27')
})

test('an absence that includes 29 February or a clock change is counted in calendar days', () => {
  expect(countIncapacity([{ from: '2028-02-25', until: '2028-03-03' }], '2028-02-24', '2028-04-01')).toMatchObject({
    days: 8,
  })
  expect(countIncapacity([{ from: '2026-03-26', until: '2026-04-02' }], '2026-03-25', '2026-05-01')).toMatchObject({
    days: 8,
  })
})

test('a clock sends reminders at once, at half time, two days before, on the day, and weekly once late', () => {
  expect(listReminderDays('2026-03-02', '2026-03-12', '2026-03-30')).toEqual([
    '2026-03-02',
    '2026-03-07',
    '2026-03-10',
    '2026-03-12',
    '2026-03-19',
    '2026-03-26',
  ])
})

test('a clock that starts after its deadline sends reminders at once and then weekly', () => {
  expect(listReminderDays('2026-03-20', '2026-03-17', '2026-04-01')).toEqual(['2026-03-20', '2026-03-24', '2026-03-31'])
})

test('a clock whose deadline is its first day sends reminders on that day and then weekly', () => {
  expect(listReminderDays('2026-03-02', '2026-03-02', '2026-03-10')).toEqual(['2026-03-02', '2026-03-09'])
})

test('days lost exclude the day of the accident and the future, and count no day twice', () => {
  const lost = (...absences: { from: string; until?: string }[]) => countDaysLost(absences, '2026-03-26', '2026-04-10')
  expect(lost({ from: '2026-03-26', until: '2026-03-26' })).toBe(0)
  // The night on which the clocks go forward.
  expect(lost({ from: '2026-03-26', until: '2026-03-30' })).toBe(4)
  expect(lost({ from: '2026-04-09' })).toBe(2)
  expect(lost({ from: '2026-04-10', until: '2026-12-31' })).toBe(1)
  expect(lost({ from: '2026-04-11' })).toBe(0)
  expect(lost({ from: '2026-04-03', until: '2026-04-05' }, { from: '2026-03-30', until: '2026-04-04' })).toBe(7)
  expect(lost({ from: '2026-03-27', until: '2026-04-02' }, { from: '2026-03-28', until: '2026-03-29' })).toBe(7)
  expect(lost()).toBe(0)
})
