import { expect, test } from 'vitest'
import {
  completedMonths,
  formatMonthList,
  formatMonthRange,
  lastCompleteYear,
  listMonths,
  monthsFilter,
  parseMonths,
  usualMonths,
} from './months.ts'

test('the usual months are the last twelve with the current one', () => {
  expect(usualMonths('2026-11')).toEqual({ from: '2025-12', to: '2026-11' })
  expect(listMonths(usualMonths('2026-01'))).toHaveLength(12)
})

test('only two months in order are accepted', () => {
  expect(parseMonths('2025-12..2026-01')).toEqual({ from: '2025-12', to: '2026-01' })
  for (const text of ['', '2026-01', '2026-02..2026-01', '2026-13..2026-14', '2026-01..2026-02..2026-03', 'a..b'])
    expect(parseMonths(text), text).toBeUndefined()
})

test('months begin and end at midnight in London, in summer as in winter', () => {
  expect(monthsFilter('datetime', { from: '2026-01', to: '2026-03' })).toEqual({
    'datetime[after]': '2026-01-01T00:00:00Z',
    'datetime[strictly_before]': '2026-03-31T23:00:00Z',
  })
})

test('consecutive months are named as a span', () => {
  expect(formatMonthList([])).toBe('')
  expect(formatMonthList(['2025-12', '2026-01', '2026-03'])).toBe('December 2025 to January 2026, March 2026')
})

test('the current month is not completed', () => {
  expect(completedMonths({ from: '2025-12', to: '2026-11' }, '2026-11')).toEqual({ from: '2025-12', to: '2026-10' })
  expect(completedMonths({ from: '2026-02', to: '2026-03' }, '2026-11')).toEqual({ from: '2026-02', to: '2026-03' })
  expect(completedMonths({ from: '2026-11', to: '2026-11' }, '2026-11')).toBeUndefined()
})

test('the last complete year ends within the span and before the current year', () => {
  const year = (to: string, current: string) => lastCompleteYear({ from: '2020-01', to }, current).to
  expect(year('2026-11', '2026-11')).toBe('2025-12')
  expect(year('2026-12', '2026-12')).toBe('2025-12')
  expect(year('2026-12', '2027-01')).toBe('2026-12')
  expect(year('2025-12', '2026-11')).toBe('2025-12')
  expect(year('2025-11', '2026-11')).toBe('2024-12')
})

test('months are written with their year', () => {
  expect(formatMonthRange({ from: '2026-01', to: '2026-03' })).toBe('January to March 2026')
  expect(formatMonthRange({ from: '2025-12', to: '2026-11' })).toBe('December 2025 to November 2026')
  expect(formatMonthRange({ from: '2026-03', to: '2026-03' })).toBe('March 2026')
})
