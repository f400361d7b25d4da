import { expect, test } from 'vitest'
import { formatLeave } from './report.ts'

test('leave is shown in average working days, or in hours and minutes', () => {
  expect([480, 240, -480, 100].map((minutes) => formatLeave(minutes, 'days', 480))).toEqual([
    '1 day',
    '0.5 days',
    '-1 day',
    '0.21 days',
  ])
  expect([480, 90, -90, -30, 0].map((minutes) => formatLeave(minutes, 'hours', 480))).toEqual([
    '8 h',
    '1 h 30 min',
    '-1 h 30 min',
    '-0 h 30 min',
    '0 h',
  ])
  expect(formatLeave(120, 'days', 0)).toBe('2 h')
})
