import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FORM_INTERVAL_OPTIONS, type FormInterval, firstDueDateFrom, nextDueDateAfter } from './form-schedule.ts'

const day = (text: string) => Temporal.PlainDate.from(text)
const next = (every: FormInterval, startsOn: string, filledIn: string) =>
  nextDueDateAfter(every, day(startsOn), day(filledIn)).toString()

test("a completed form's next due date follows its original schedule", () => {
  expect(next('day', '2026-11-02', '2026-11-24')).toBe('2026-11-25')
  expect(next('working day', '2026-11-02', '2026-11-27')).toBe('2026-11-30')
  expect(next('week', '2026-11-02', '2026-11-24')).toBe('2026-11-30')
  expect(next('fortnight', '2026-11-02', '2026-11-16')).toBe('2026-11-30')
  expect(next('month', '2026-01-31', '2026-01-31')).toBe('2026-02-28')
  expect(next('month', '2026-01-31', '2026-03-01')).toBe('2026-03-31')
  expect(next('quarter', '2026-01-31', '2026-02-01')).toBe('2026-04-30')
  expect(next('year', '2024-02-29', '2026-03-01')).toBe('2027-02-28')
  expect(next('year', '2024-02-29', '2027-06-01')).toBe('2028-02-29')
  // Completing the form before the schedule starts doesn't change the first due date.
  expect(next('week', '2026-12-07', '2026-11-24')).toBe('2026-12-07')
})

test('a due date is never before the given day or the start of the schedule, and the next due date is always later', () => {
  const days = fc.integer({ min: 0, max: 4000 }).map((n) => day('2020-01-01').add({ days: n }))
  const every = fc.constantFrom(...FORM_INTERVAL_OPTIONS.map(({ value }) => value))
  fc.assert(
    fc.property(every, days, days, (interval, startsOn, from) => {
      const due = firstDueDateFrom(interval, startsOn, from)
      expect(Temporal.PlainDate.compare(due, from)).toBeGreaterThanOrEqual(0)
      expect(Temporal.PlainDate.compare(due, startsOn)).toBeGreaterThanOrEqual(0)
      expect(firstDueDateFrom(interval, startsOn, due).toString()).toBe(due.toString())
      expect(Temporal.PlainDate.compare(nextDueDateAfter(interval, startsOn, due), due)).toBe(1)
      if (interval === 'working day') expect(due.dayOfWeek).toBeLessThan(6)
      if (interval === 'week') expect(due.dayOfWeek).toBe(startsOn.dayOfWeek)
    }),
  )
})
