import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CourseValidity, validityEnd } from './validity.ts'

const byMonths = (validityMonths: number | null): CourseValidity => ({
  validityMonths,
  retakeMonth: null,
  retakeDay: null,
  retakeGraceDays: 0,
})

const yearly = (retakeMonth: string, retakeDay: number | null, retakeGraceDays = 0): CourseValidity => ({
  validityMonths: null,
  retakeMonth,
  retakeDay,
  retakeGraceDays,
})

test('training is valid to the day before it is as many months old as the course is valid', () => {
  expect(validityEnd('2026-03-15', byMonths(36))).toBe('2029-03-14')
  expect(validityEnd('2026-01-31', byMonths(1))).toBe('2026-02-28')
  expect(validityEnd('2024-02-29', byMonths(12))).toBe('2025-02-28')
  expect(validityEnd('2026-03-01', byMonths(null))).toBeNull()
})

test('a yearly course is valid to its next fixed day, or to the last day of its month', () => {
  expect(validityEnd('2026-03-30', yearly('03', 31))).toBe('2026-03-31')
  expect(validityEnd('2026-03-31', yearly('03', 31))).toBe('2027-03-31')
  expect(validityEnd('2026-04-01', yearly('03', 31))).toBe('2027-03-31')
  expect(validityEnd('2026-01-10', yearly('04', null))).toBe('2026-04-30')
})

test('29 February is 28 February in a year without it', () => {
  expect(validityEnd('2027-05-01', yearly('02', 29))).toBe('2028-02-29')
  expect(validityEnd('2026-05-01', yearly('02', 29))).toBe('2027-02-28')
  expect(validityEnd('2027-05-01', yearly('02', null))).toBe('2028-02-29')
})

test('a pass within the grace period before the fixed day counts for the coming year', () => {
  expect(validityEnd('2026-02-28', yearly('03', 31, 30))).toBe('2026-03-31')
  expect(validityEnd('2026-03-01', yearly('03', 31, 30))).toBe('2027-03-31')
  expect(validityEnd('2025-12-20', yearly('01', 5, 30))).toBe('2027-01-05')
})

const day = fc
  .integer({ min: 0, max: 20_000 })
  .map((days) => Temporal.PlainDate.from('2000-01-01').add({ days }).toString())
const yearlyCourse = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.option(fc.integer({ min: 1, max: 28 })), fc.integer({ min: 0, max: 180 }))
  .map(([month, of, grace]) => yearly(String(month).padStart(2, '0'), of, grace))

test('a yearly pass lasts longer than its grace period, and at most a year more, on any day', () => {
  fc.assert(
    fc.property(day, yearlyCourse, (completedOn, course) => {
      const end = validityEnd(completedOn, course)
      const { days } = Temporal.PlainDate.from(completedOn).until(end ?? '', { largestUnit: 'days' })
      expect(days).toBeGreaterThan(course.retakeGraceDays)
      expect(days).toBeLessThanOrEqual(course.retakeGraceDays + 366)
    }),
  )
})

test('a later pass is never valid for a shorter time than an earlier one', () => {
  fc.assert(
    fc.property(day, day, yearlyCourse, (one, other, course) => {
      const [earlier = '', later = ''] = [one, other].toSorted()
      expect((validityEnd(later, course) ?? '') >= (validityEnd(earlier, course) ?? '')).toBe(true)
    }),
  )
})
