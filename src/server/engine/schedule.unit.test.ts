import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LONDON_TIME_ZONE } from '#kernel/time.ts'
import { findLatestSlotAt, type ScheduleInterval } from './schedule.ts'

const at = (iso: string) => Temporal.Instant.from(iso)
const DAILY = { daily: '07:00' } as const

describe('the latest slot of a schedule', () => {
  test('the latest slot of a daily schedule is yesterday’s until the scheduled London time, and today’s from then on', () => {
    expect(findLatestSlotAt(DAILY, at('2026-01-10T06:59:59Z'))).toBe('2026-01-09')
    expect(findLatestSlotAt(DAILY, at('2026-01-10T07:00:00Z'))).toBe('2026-01-10')
    expect(findLatestSlotAt(DAILY, at('2026-07-10T05:59:59Z'))).toBe('2026-07-09')
    expect(findLatestSlotAt(DAILY, at('2026-07-10T06:00:00Z'))).toBe('2026-07-10')
  })

  test('a daily schedule whose time is skipped in spring uses the next existing time', () => {
    const night = { daily: '01:30' } as const
    expect(findLatestSlotAt(night, at('2026-03-29T01:29:59Z'))).toBe('2026-03-28')
    expect(findLatestSlotAt(night, at('2026-03-29T01:30:00Z'))).toBe('2026-03-29')
  })

  test('the latest slot of an interval schedule is its last full interval', () => {
    expect(findLatestSlotAt({ minutes: 15 }, at('2026-01-10T07:29:59.9Z'))).toBe('2026-01-10T07:15:00Z')
  })

  const instants = fc
    .integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) })
    .map((ms) => Temporal.Instant.fromEpochMilliseconds(ms))
  const everies: fc.Arbitrary<ScheduleInterval> = fc.oneof(
    fc.integer({ min: 1, max: 1440 }).map((minutes) => ({ minutes })),
    fc
      .tuple(fc.nat({ max: 23 }), fc.nat({ max: 59 }))
      .map(([h, m]) => ({ daily: `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}` })),
  )

  test('the latest slot of a schedule never moves back as time passes', () =>
    fc.assert(
      fc.property(everies, instants, instants, (every, a, b) => {
        const [first, second] = Temporal.Instant.compare(a, b) <= 0 ? [a, b] : [b, a]
        expect(findLatestSlotAt(every, first) <= findLatestSlotAt(every, second)).toBe(true)
      }),
    ))

  test('a daily schedule has one slot per day, even when the clocks change', () =>
    fc.assert(
      fc.property(everies, instants, (every, start) => {
        if (!('daily' in every)) return
        const day = start.toZonedDateTimeISO(LONDON_TIME_ZONE)
        const days = [0, 1, 2].map((n) => findLatestSlotAt(every, day.add({ days: n }).toInstant()))
        expect(new Set(days).size).toBe(3)
      }),
    ))
})
