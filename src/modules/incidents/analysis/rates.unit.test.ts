import { expect, test } from 'vitest'
import { calculateRatePerEmployees, calculateRatePerHours, nearMissRatio, summariseWorkforce } from './rates.ts'

const months = ['2026-01', '2026-02']

test('hours are added up and headcounts are averaged', () => {
  const entered = [
    { month: '2026-01', hours: 10_000, headcount: 40 },
    { month: '2026-02', hours: 15_000, headcount: 60 },
    { month: '2026-03', hours: 99_000, headcount: 900 },
  ]
  const workforce = summariseWorkforce(months, entered)
  expect(workforce).toEqual({ hours: 25_000, headcount: 50, missingHours: [], missingHeadcount: [] })
  expect([calculateRatePerHours(2, workforce), calculateRatePerEmployees(2, workforce)]).toEqual([80, 4000])
  expect([calculateRatePerHours(0, workforce), calculateRatePerEmployees(0, workforce)]).toEqual([0, 0])
})

test('a month without a value makes the rate unknown, and is named', () => {
  const workforce = summariseWorkforce(months, [{ month: '2026-01', hours: 10_000, headcount: null }])
  expect(workforce).toEqual({
    hours: null,
    headcount: null,
    missingHours: ['2026-02'],
    missingHeadcount: ['2026-01', '2026-02'],
  })
  expect([calculateRatePerHours(2, workforce), calculateRatePerEmployees(2, workforce)]).toEqual([null, null])
})

test('a rate is unknown without hours, employees or months', () => {
  const nobody = summariseWorkforce(['2026-01'], [{ month: '2026-01', hours: 0, headcount: 0 }])
  expect([nobody.hours, calculateRatePerHours(1, nobody), calculateRatePerEmployees(1, nobody)]).toEqual([
    0,
    null,
    null,
  ])
  expect(summariseWorkforce([], [])).toEqual({ hours: null, headcount: null, missingHours: [], missingHeadcount: [] })
})

test('the near-miss ratio is unknown without an accident', () => {
  expect([nearMissRatio(6, 4), nearMissRatio(0, 3), nearMissRatio(3, 0)]).toEqual([1.5, 0, null])
})
