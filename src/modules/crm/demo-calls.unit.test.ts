import { describe, expect, it } from 'vitest'
import { fromUnixSeconds, LONDON_TIME_ZONE, londonDate, toUnixSeconds } from '#kernel/time.ts'
import { isWorkingDay } from '#kernel/working-days.ts'
import { type CalledDemoLead, generateDemoCalls, moveToOfficeHours } from './demo-calls.ts'
import { getDefaultOutcome } from './outcomes/outcome.server.ts'

let seed = 7
const rnd = (n: number) => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return Math.floor((seed / 4294967296) * n)
}
const now = Temporal.Instant.from('2026-11-23T11:20:00Z')
const leads: readonly CalledDemoLead[] = Array.from({ length: 70 }, (_, k) => {
  const due = moveToOfficeHours(toUnixSeconds(now) + (rnd(15) - 3) * 24 * 3600 + rnd(24 * 3600), now)
  return k % 3 ? { result: [31, 5, 30, 54][k % 4] ?? 31, due, rests: 0 } : { result: 3, due: null, rests: rnd(50) }
})
const calls = generateDemoCalls(rnd, now, leads, getDefaultOutcome)
const hour = (at: Temporal.Instant) => at.toZonedDateTimeISO(LONDON_TIME_ZONE).hour

describe('demo calls', () => {
  it('demo calls follow one another within office hours up to the present', () => {
    expect(calls.length).toBeGreaterThan(300)
    for (const [k, { at, minutes }] of calls.entries()) {
      expect(isWorkingDay(londonDate(at))).toBe(true)
      expect(hour(at)).toBeGreaterThanOrEqual(9)
      expect(hour(at.add({ minutes }))).toBeLessThan(17)
      const later = calls[k - 1]?.at ?? now
      expect(at.add({ minutes }).epochMilliseconds).toBeLessThanOrEqual(later.epochMilliseconds)
    }
  })

  it("demo calls produce each lead's current state, with no call before its due date and no callback outside office hours", () => {
    const last = Map.groupBy(calls, ({ lead }) => lead)
    expect(last.size).toBeGreaterThan(60)
    for (const [lead, [latest, ...before]] of last) {
      expect(latest?.decision.lastResult).toBe(lead.result)
      expect(latest?.decision.callbackDate).toBe(lead.due)
      for (const [k, { decision }] of before.entries()) {
        const next = (k === 0 ? latest : before[k - 1])?.at as Temporal.Instant
        const promised = decision.callbackDate ?? decision.expiry ?? 0
        expect(promised).toBeLessThanOrEqual(toUnixSeconds(next))
        expect(londonDate(fromUnixSeconds(promised))).toEqual(londonDate(next))
      }
    }
  })
})
