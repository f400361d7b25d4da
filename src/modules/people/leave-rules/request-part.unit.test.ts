import { expect, test } from 'vitest'
import { partViolations, type RequestPart } from './request-part.ts'

const NO_DAY = { firstDay: null, lastDay: null, portion: null, from: null, until: null } as unknown as RequestPart
const whole = (firstDay: string, lastDay = firstDay): RequestPart => ({
  firstDay,
  lastDay,
  portion: 'day',
  from: null,
  until: null,
})
const placesOf = (...parts: readonly Partial<RequestPart>[]) =>
  partViolations(parts, '2026-11-30').map(({ propertyPath }) => propertyPath)

test('a part of a request needs its first and its last day', () => {
  expect(placesOf()).toEqual(['parts'])
  expect(placesOf(NO_DAY)).toEqual(['parts[0].firstDay'])
  expect(placesOf({ firstDay: '2026-12-14' })).toEqual(['parts[0].lastDay'])
  expect(placesOf(NO_DAY, whole('2026-12-14'))).toEqual(['parts[0].firstDay'])
})

test('parts of a request do not overlap, and a part without a portion covers whole days', () => {
  expect(placesOf(whole('2026-12-14', '2026-12-16'), whole('2026-12-17'))).toEqual([])
  expect(placesOf(whole('2026-12-14', '2026-12-16'), whole('2026-12-16'))).toEqual(['parts[1].firstDay'])
  expect(placesOf({ ...NO_DAY, firstDay: '2026-12-14', lastDay: '2026-12-16' })).toEqual([])
})

test('a request lies between 1990 and two years ahead, and covers 366 days at most', () => {
  for (const day of ['0001-01-01', '1989-12-31', '2029-01-01', '9999-12-31'])
    expect(placesOf(whole(day))).toEqual(['parts[0].firstDay'])
  expect(placesOf(whole('2027-01-01', '9999-01-01'))).toEqual(['parts[0].lastDay'])
  expect(placesOf(whole('2027-01-01', '2028-01-01'))).toEqual([])
  expect(placesOf(whole('2027-01-01', '2028-01-02'))).toEqual(['parts[0].lastDay'])
  expect(placesOf(whole('2028-03-01'), whole('2027-01-01'))).toEqual(['parts[0].lastDay'])
})
