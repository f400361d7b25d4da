import { expect, test } from 'vitest'
import { describeAbsence, formatPart, moveMonth, periodOf, placeOf } from './period.ts'

const part = (firstDay: string, lastDay = firstDay, portion: 'day' | 'morning' | 'afternoon' | 'hours' = 'day') => ({
  firstDay,
  lastDay,
  portion,
  from: portion === 'hours' ? '09:00' : null,
  until: portion === 'hours' ? '11:00' : null,
})

test('a month and twelve months start on the first day, also around 29 February', () => {
  expect(periodOf('2028-02', false)).toEqual({ from: '2028-02-01', until: '2028-02-29' })
  expect(periodOf('2026-04', true)).toEqual({ from: '2026-04-01', until: '2027-03-31' })
  expect([moveMonth('2026-12', 1), moveMonth('2026-01', -1)]).toEqual(['2027-01', '2025-12'])
})

test('a bar covers its days within the period, and half a day half of its day', () => {
  const period = periodOf('2026-06', false)
  expect(placeOf(part('2026-06-01', '2026-06-03'), period)).toEqual({ start: 0, size: 3 / 30 })
  expect(placeOf(part('2026-05-20', '2026-06-01'), period)).toEqual({ start: 0, size: 1 / 30 })
  expect(placeOf(part('2026-06-30', '2026-07-09'), period)).toEqual({ start: 29 / 30, size: 1 / 30 })
  expect(placeOf(part('2026-06-02', '2026-06-02', 'afternoon'), period)).toEqual({ start: 1.5 / 30, size: 0.5 / 30 })
})

test('an absence is described with kind, days and status, and colleagues as busy', () => {
  expect(formatPart(part('2026-03-03', '2026-03-03', 'hours'))).toBe('3 March, 09:00 to 11:00')
  const absence = { ...part('2026-03-03', '2026-03-05'), employee: 1, request: 2 }
  const kinds = [{ id: 1, name: 'Annual leave' }]
  expect(describeAbsence({ ...absence, state: 'requested', kind: 1 }, kinds)).toBe(
    'Annual leave, 3 March to 5 March, waiting for approval',
  )
  expect(describeAbsence({ ...absence, state: 'busy', kind: null }, kinds)).toBe('3 March to 5 March, busy')
})
