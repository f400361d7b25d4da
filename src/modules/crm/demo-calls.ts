import { fromUnixSeconds, type Instant, LONDON_TIME_ZONE, londonDate } from '#kernel/time.ts'
import { isWorkingDay } from '#kernel/working-days.ts'
import { decideOutcome, type OutcomeDecision, type OutcomeRule } from './outcomes/decide.ts'

export type RandomInteger = (n: number) => number

/** A demo lead that has been called, and the result that its last call must produce. */
export interface CalledDemoLead {
  /** Result after the last call. Result 6 means that a quote was sent. */
  readonly result: number
  /** Agreed callback date in Unix seconds, if any. */
  readonly due: number | null
  /** Days since the last call. */
  readonly rests: number
}

export interface DemoCall<L> {
  readonly lead: L
  readonly at: Instant
  readonly result: number
  readonly minutes: number
  readonly decision: OutcomeDecision
}

const NO_ANSWER = 47
const CALLED_WEEKS = 9
/** Minimum number of calls per day, and the number of possible additional calls (exclusive). */
const A_DAY = [8, 7] as const
/** Minutes in a working day, from nine to five. */
const OPEN = 8 * 60
const MAX_CALL_MINUTES = 15
/** Maximum number of days until a callback. */
const AHEAD_DAYS = 28

/** Possible outcomes of the last call, by the lead's result. For other results, the outcome equals the result. */
const LAST: Readonly<Record<number, readonly number[]>> = { 3: [NO_ANSWER, NO_ANSWER, 3, 43], 6: [5] }
/** Possible outcomes of earlier calls. */
const BEFORE: readonly number[] = [NO_ANSWER, NO_ANSWER, NO_ANSWER, NO_ANSWER, NO_ANSWER, 31, 31, 5, 30, 54]

interface Slot {
  readonly at: Instant
  readonly minutes: number
}

/**
 * Returns times at which a seller could have called: on working days from nine to five, without overlaps, latest first.
 */
function slotsUntil(now: Instant, rnd: RandomInteger): Slot[] {
  const today = londonDate(now)
  return Array.from({ length: CALLED_WEEKS * 7 }, (_, n) => today.subtract({ days: n }))
    .filter((day) => isWorkingDay(day))
    .flatMap((day) => {
      const count = A_DAY[0] + rnd(A_DAY[1])
      const apart = Math.floor(OPEN / count)
      const nine = day.toZonedDateTime({ timeZone: LONDON_TIME_ZONE, plainTime: '09:00' }).toInstant()
      return Array.from({ length: count }, (_, k) => ({
        at: nine.add({ minutes: k * apart + rnd(apart - MAX_CALL_MINUTES) }),
        minutes: 1 + rnd(MAX_CALL_MINUTES - 1),
      })).toReversed()
    })
    .filter(({ at, minutes }) => Temporal.Instant.compare(at.add({ minutes }), now) <= 0)
}

const DAY = 24 * 3600
const secondsOf = (at: Instant) => Math.floor(at.epochMilliseconds / 1000)

/** Returns whether the lead's last call could have been at that time, given the callback date. */
const canEnd = ({ due, rests }: CalledDemoLead, at: Instant, now: Instant): boolean =>
  due === null
    ? secondsOf(at) <= secondsOf(now) - rests * DAY
    : due > secondsOf(at) + 3600 && due < secondsOf(at) + AHEAD_DAYS * DAY

/**
 * Generates a seller's calls to their own leads, working backwards: each call follows up the previous one, and the last
 * call leaves the lead in its current state.
 */
export function generateDemoCalls<L extends CalledDemoLead>(
  rnd: RandomInteger,
  now: Instant,
  leads: readonly L[],
  ruleOf: (result: number) => OutcomeRule,
): DemoCall<L>[] {
  const after = new Map<L, Instant>()
  return slotsUntil(now, rnd).flatMap(({ at, minutes }) => {
    const lead = Array.from({ length: 12 }, () => leads[rnd(leads.length)]).find((one) => {
      const next = one && after.get(one)
      return one && (next ? londonDate(next).since(londonDate(at)).days > 0 : canEnd(one, at, now))
    })
    if (!lead) return []
    const next = after.get(lead)
    const ways = next ? BEFORE : (LAST[lead.result] ?? [lead.result])
    const result = ways[rnd(ways.length)] ?? NO_ANSWER
    const promised = next ? Math.floor(secondsOf(next) / 900) * 900 : lead.due
    after.set(lead, at)
    return [
      {
        lead,
        at,
        result,
        minutes: result === NO_ANSWER ? 0 : minutes,
        decision: decideOutcome(ruleOf(result), at, promised),
      },
    ]
  })
}

/**
 * Rounds a time down to the quarter-hour, and moves it into office hours (nine to five on a working day). Past times
 * remain in the past, and future times remain in the future.
 */
export function moveToOfficeHours(seconds: number, now: Instant): number {
  const there = fromUnixSeconds(seconds).toZonedDateTimeISO(LONDON_TIME_ZONE)
  let day = there.toPlainDate()
  while (!isWorkingDay(day)) day = day.add({ days: seconds < secondsOf(now) ? -1 : 1 })
  const minutes = (Math.floor((there.hour * 60 + there.minute) / 15) * 15) % OPEN
  return secondsOf(day.toZonedDateTime({ timeZone: LONDON_TIME_ZONE, plainTime: '09:00' }).add({ minutes }).toInstant())
}
