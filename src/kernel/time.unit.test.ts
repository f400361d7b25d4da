import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatUkDateTime, instantOnLondonDate } from './time.ts'

const plainly = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

test('an instant is shown in London time, even when the clocks change', () => {
  const from = Date.UTC(1970, 0, 1)
  const change = Date.UTC(2026, 2, 29, 1)
  const moments = fc.oneof(
    fc.integer({ min: from, max: Date.UTC(2100, 0, 1) }),
    fc.integer({ min: change - 7_200_000, max: change + 7_200_000 }),
    fc.integer({ min: Date.UTC(1900, 0, 1), max: from }),
  )
  fc.assert(
    fc.property(moments, (ms) => {
      expect(formatUkDateTime(Temporal.Instant.fromEpochMilliseconds(ms))).toBe(plainly.format(ms).replace(', ', ' '))
    }),
    { numRuns: 300 },
  )
})

test('an event dated today is recorded at the current time, and one dated earlier at noon in London', () => {
  const now = Temporal.Instant.from('2026-11-28T09:30:00Z')
  const on = (day: string) => instantOnLondonDate(day, now).toString()
  expect(on('2026-11-28')).toBe('2026-11-28T09:30:00Z')
  expect(on('2026-11-27')).toBe('2026-11-27T12:00:00Z')
  expect(on('2026-07-01')).toBe('2026-07-01T11:00:00Z')
})
