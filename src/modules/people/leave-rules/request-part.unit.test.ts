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
  partViolations(parts).map(({ propertyPath }) => propertyPath)

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
